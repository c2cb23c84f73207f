// Stock Pyodide and NumPy with our wheel: what the page's engine is measured against.
importScripts("pyodide.js");
loadPyodide()
  .then(async (pyodide) => {
    await pyodide.loadPackage("microtransformer", { messageCallback() {} });
    pyodide.runPython("import microtransformer.playground");
    postMessage("ready");
  })
  .catch((error) => postMessage(String(error)));
