// Python's start, from what has been downloaded, checked and compiled already.
import { info } from "pyodide/pyodide-lock.json";
import { unpack } from "./unpack.js";

/** @typedef {import("pyodide").PyodideInterface} Pyodide */

/**
 * Start Python on a module that is compiled already, with the standard library from a pack.
 * @param {string} base   absolute URL of the folder with Pyodide's files; none is fetched
 * @param {WebAssembly.Module} module   pyodide.asm.wasm
 * @param {Uint8Array} stdlib
 * @returns {Promise<Pyodide>}
 */
export async function startPython(base, module, stdlib) {
  const { loadPyodide } = /** @type {typeof import("pyodide")} */ (/** @type {unknown} */ (self));
  // It would fetch its module and an archive with the library, and takes no others.
  const theirs = { fetch: self.fetch, instantiateStreaming: WebAssembly.instantiateStreaming };
  self.fetch = async () => new Response();
  WebAssembly.instantiateStreaming = async (_, imports) => ({
    module,
    instance: await WebAssembly.instantiate(module, imports),
  });
  try {
    return await loadPyodide({
      indexURL: base,
      fsInit: async (FS) => unpack(FS, stdlib),
      lockFileContents: /** @type {any} */ ({ info, packages: {} }), // no package is loaded by name
    });
  } finally {
    self.fetch = theirs.fetch;
    WebAssembly.instantiateStreaming = theirs.instantiateStreaming;
  }
}
