// The classic worker of the test page: boots Pyodide from the site as the site's own worker does, and runs pytest in it.
import { runPytest } from "./inside.js";

/** @param {string} url */
const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

self.onmessage = async ({ data: { base, loops, wheels, tests, pytestArguments } }) => {
  try {
    importScripts(`${base}pyodide.js`);
    const pyodide = await self.loadPyodide({ indexURL: base, env: { HOME: "/home/pyodide", COLUMNS: "110" } });
    await pyodide.loadPackage("microtransformer", { messageCallback: () => {} });
    pyodide.unpackArchive(await bytes(tests), "zip", { extractDir: "/project" });
    const wheelBodies = await Promise.all(wheels.map(bytes));
    self.postMessage(await runPytest(pyodide, await bytes(loops), wheelBodies, pytestArguments));
  } catch (error) {
    self.postMessage({ code: 70, report: String(error) });
  }
};
