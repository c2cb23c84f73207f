// What the packs hold goes into Pyodide's memory; NumPy's libraries are compiled beside Python's start.
import { filesOf } from "./pack.js";

/** @typedef {import("pyodide").PyodideInterface} Pyodide */
/** Path -> module. @typedef {Map<string, WebAssembly.Module>} Libraries */

/** Where Python looks for what is in a pack. */
const ROOT = "/lib/python3.13/";

/**
 * Write a pack's files. A library is compiled elsewhere (`compileLibraries`); Python only wants to see that it is there.
 * @param {Pyodide["FS"]} FS @param {Uint8Array} pack
 */
export function unpack(FS, pack) {
  for (const [path, content] of filesOf(pack)) {
    FS.mkdirTree((ROOT + path).slice(0, (ROOT + path).lastIndexOf("/")));
    FS.writeFile(ROOT + path, path.endsWith(".so") ? new Uint8Array() : content, { canOwn: true });
  }
}

/** Compile a pack's libraries, off this thread. @param {Uint8Array} pack @returns {Promise<Libraries>} */
export async function compileLibraries(pack) {
  const files = [...filesOf(pack)].filter(([path]) => path.endsWith(".so"));
  const compiled = files.map(async ([path, content]) => /** @type {const} */ ([
    path, await WebAssembly.compile(/** @type {Uint8Array<ArrayBuffer>} */ (content)),
  ]));
  return new Map(await Promise.all(compiled));
}

/**
 * Add packs to a Python that runs. Emscripten's dynamic loader looks among `preloadedWasm` before it reads and
 * compiles a library itself, on the thread that waits for it.
 * @param {Pyodide} pyodide @param {Uint8Array[]} packs @param {Libraries} libraries   those in the packs
 */
export function addPacks(pyodide, packs, libraries) {
  const module = /** @type {any} */ (pyodide)._module;
  for (const pack of packs) unpack(pyodide.FS, pack);
  for (const [path, library] of libraries) {
    module.preloadedWasm[ROOT + path] = module.loadWebAssemblyModule(library, { nodelete: true }, ROOT + path, {});
  }
  // Python may have listed the folders before; importlib.invalidate_caches() would import half the library.
  pyodide.runPython("import sys; sys.path_importer_cache.clear()");
}
