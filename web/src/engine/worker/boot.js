// Start Python from files that have been downloaded and checked, and wrap the package's facade for JavaScript.
import { download } from "./download.js";
import { startLoops } from "./loops.js";
import { startPython } from "./start.js";
import { addPacks, compileLibraries } from "./unpack.js";

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
 * @property {() => void} keep
 * @property {() => void} drop
 * @property {(epoch: number, probe: string, kept: boolean) => import("../protocol.js").Observation} observe
 * @property {(content: Uint8Array, shown: import("../protocol.js").Shown) => import("../protocol.js").RestoredRun} restore
 * @property {() => Uint8Array<ArrayBuffer>} save
 * @property {(epoch: number) => Uint8Array<ArrayBuffer>} weights
 * @property {(name: string, args: import("../protocol.js").Arguments) => unknown} ask
 * @property {(epoch: number, name: string, args: import("../protocol.js").Arguments) => unknown} askAbout
 * @property {() => void} destroy   let Python forget it
 */

/**
 * @typedef {object} Python
 * @property {import("pyodide").PyodideInterface} pyodide
 * @property {() => Playground} newPlayground
 * @property {import("./loops.js").EngineLoops} loops
 * @property {(tell: (cause: string) => void) => () => void} whenDead   be told when nothing of it can be called any more,
 *   before the call that has killed it throws; what it returns ends that
 */

/** Roles of the files that Python's start needs; NumPy and the rest arrive while it starts. */
const FIRST = new Set(["script", "wasm", "stdlib"]);

/**
 * @param {RuntimeFile[]} files
 * @param {string} base   absolute URL of the folder with Pyodide's files
 * @param {(progress: Progress) => void} onProgress
 * @returns {Promise<Python>}
 */
export async function bootPython(files, base, onProgress) {
  const arrived = download(files, (file) => FIRST.has(file.role), (loaded, total) => {
    onProgress({ phase: loaded < total ? "download" : "start", loaded, total });
  });
  const inRole = (/** @type {RuntimeFile["role"]} */ role) => {
    const named = files.filter((file) => file.role === role).map((file) => file.name);
    return Promise.all(named.map(arrived));
  };
  const packages = inRole("package").then((all) => all.map(({ body }) => body));
  const libraries = packages.then((packs) => Promise.all(packs.map(compileLibraries)));
  libraries.catch(() => {}); // awaited below, where its failure is told
  await inRole("script");
  // They were downloaded only to check them: importScripts finds them in the HTTP cache.
  importScripts(...files.filter((file) => file.role === "script").map((file) => file.url));
  const [[wasm], [stdlib]] = await Promise.all([inRole("wasm"), inRole("stdlib")]);
  const pyodide = await startPython(base, await /** @type {Promise<WebAssembly.Module>} */ (wasm.module), stdlib.body);
  addPacks(pyodide, await packages, new Map((await libraries).flatMap((map) => [...map])));
  const [loopsModule] = await inRole("loops");
  const loops = await startLoops(pyodide, loopsModule?.body);
  const module = pyodide.pyimport("microtransformer.playground");
  const newPlayground = () => wrap(module.Playground(), (value) => pyodide.toPy(value));
  return { pyodide, newPlayground, loops, whenDead: watchDeath(pyodide) };
}

/** Pyodide has no public way to be told. @param {any} pyodide @returns {Python["whenDead"]} */
function watchDeath({ _api }) {
  /** @type {Set<(cause: string) => void>} */
  const told = new Set();
  _api.on_fatal = (/** @type {unknown} */ error) => {
    for (const tell of told) tell(error instanceof Error ? error.message : String(error));
  };
  return (tell) => {
    told.add(tell);
    return () => void told.delete(tell);
  };
}

/**
 * @param {any} instance   the Python object
 * @param {(value: unknown) => PyProxy} toPy
 * @returns {Playground}
 */
function wrap(instance, toPy) {
  // Fetched once: every attribute access makes a proxy, which lives as long as the instance's.
  /** @type {Record<"start" | "advance" | "keep" | "drop" | "observe" | "restore" | "save" | "weights" | "ask" | "ask_about",
   *   PyCallable>} */
  const { start, advance, keep, drop, observe, restore, save, weights, ask, ask_about } = instance;
  const methods = { start, advance, keep, drop, observe, restore, save, weights, ask, ask_about };
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
    keep: () => methods.keep(),
    drop: () => methods.drop(),
    observe: (epoch, probe, kept) => plain(() => methods.observe(epoch, probe, kept)),
    restore(content, shown) {
      const [bytes, dict] = [toPy(content), toPy(shown)];
      try {
        return plain(() => methods.restore(bytes, dict));
      } finally {
        bytes.destroy();
        dict.destroy();
      }
    },
    save: () => plain(() => methods.save()),
    weights: (epoch) => plain(() => methods.weights(epoch)),
    // As JSON: numbers read as they do in recorded answers, and null stays null.
    ask: (name, args) => JSON.parse(plain(() => methods.ask(name, JSON.stringify(args)))),
    askAbout: (epoch, name, args) => JSON.parse(plain(() => methods.ask_about(epoch, name, JSON.stringify(args)))),
    destroy: () => instance.destroy(), // and with it its methods
  };
}

/**
 * Call into Python; the result as plain values (arrays as Float32Array), an exception as an Error with its sentence.
 * @param {() => PyProxy | string} call
 * @returns {any}
 */
function plain(call) {
  try {
    const proxy = call();
    if (typeof proxy === "string") return proxy;
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
