// Start Pyodide from files already downloaded and checked, and wrap the package's facade for JavaScript.
import { download } from "./download.js";
import { startLoops } from "./loops.js";

/** @typedef {import("../protocol.js").RuntimeFile} RuntimeFile */
/** @typedef {import("../protocol.js").Progress} Progress */
/** @typedef {import("../protocol.js").EpochRecord} EpochRecord */
/** @typedef {import("pyodide/ffi").PyProxy} PyProxy */
/** @typedef {import("pyodide/ffi").PyCallable} PyCallable */

/**
 * The facade `microtransformer.playground.Playground`, with plain values on both sides.
 * @typedef {object} Playground
 * @property {(settings: import("../protocol.js").Settings) => import("../protocol.js").RunFacts} start
 * @property {(budgetMs: number, until: number) =>
 *   {done: boolean, steps: number, step_seconds: number, record: EpochRecord | undefined, error: string | undefined}} advance
 * @property {(epoch: number, probe: string) => import("../protocol.js").Observation} observe
 */

/** Types of the files that Pyodide reads through fetch. */
const MIME = { wasm: "application/wasm", stdlib: "application/zip", lock: "application/json", package: "application/zip" };

/**
 * @param {RuntimeFile[]} files
 * @param {string} base   absolute URL of the folder with Pyodide's files
 * @param {(progress: Progress) => void} onProgress
 * @returns {Promise<{pyodide: import("pyodide").PyodideInterface, playground: Playground,
 *   loops: import("./loops.js").EngineLoops}>}
 */
export async function bootPython(files, base, onProgress) {
  let total = 0;
  const bodies = await download(files, (loaded, all) => {
    total = all;
    onProgress({ phase: "download", loaded, total });
  });
  onProgress({ phase: "start", loaded: total, total });
  const loopsModule = bodies.get(files.find((file) => file.role === "loops")?.name ?? "");
  serveFromMemory(files, bodies);
  // The scripts were downloaded above only to check them: importScripts finds them in the HTTP cache.
  importScripts(`${base}pyodide.js`);
  const { loadPyodide } = /** @type {typeof import("pyodide")} */ (/** @type {unknown} */ (self));
  const stdLibURL = files.find((file) => file.role === "stdlib")?.url;
  const pyodide = await loadPyodide({ indexURL: base, stdLibURL });
  await pyodide.loadPackage("microtransformer", { messageCallback: () => {} });
  const loops = await startLoops(pyodide, loopsModule);
  const module = pyodide.pyimport("microtransformer.playground");
  const instance = module.Playground();
  module.destroy();
  return { pyodide, playground: wrap(instance, (value) => pyodide.toPy(value)), loops };
}

/**
 * Answer fetches of the runtime's files with the bytes that are here, so that nothing is transferred twice and what
 * Pyodide runs is what was checked.
 * @param {RuntimeFile[]} files
 * @param {Map<string, Uint8Array<ArrayBuffer>>} bodies
 */
function serveFromMemory(files, bodies) {
  const network = self.fetch;
  const byUrl = new Map(files.filter((f) => f.role in MIME).map((file) => [file.url, file]));
  self.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : new URL(input, location.href).href;
    const file = byUrl.get(url);
    const body = file && bodies.get(file.name);
    if (!file || !body) return network(input, init);
    byUrl.delete(url);
    bodies.delete(file.name); // Pyodide reads each file once; its memory is free afterwards
    return new Response(body, { headers: { "Content-Type": MIME[/** @type {keyof MIME} */ (file.role)] } });
  };
}

/**
 * @param {any} instance   the Python object
 * @param {(value: unknown) => PyProxy} toPy
 * @returns {Playground}
 */
function wrap(instance, toPy) {
  // Fetched once: every attribute access makes a proxy that someone would have to destroy.
  /** @type {Record<"start" | "advance" | "observe", PyCallable>} */
  const methods = { start: instance.start, advance: instance.advance, observe: instance.observe };
  return {
    start(settings) {
      const dict = toPy(settings);
      try {
        return plain(() => methods.start(dict));
      } finally {
        dict.destroy();
      }
    },
    advance: (budgetMs, until) => plain(() => methods.advance(budgetMs, until)),
    observe: (epoch, probe) => plain(() => methods.observe(epoch, probe)),
  };
}

/**
 * Call into Python; the result as plain values (arrays as Float32Array), an exception as an Error with its sentence.
 * @param {() => PyProxy} call
 */
function plain(call) {
  try {
    const proxy = call();
    try {
      return proxy.toJs({ dict_converter: Object.fromEntries, create_pyproxies: false });
    } finally {
      proxy.destroy();
    }
  } catch (error) {
    const traceback = error instanceof Error ? error.message.trim() : String(error);
    const last = traceback.slice(traceback.lastIndexOf("\n") + 1);
    throw new Error(last.replace(/^[\w.]+(?:Error|Exception|Diverged): /, ""), { cause: error });
  }
}
