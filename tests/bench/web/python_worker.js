// Training steps in Pyodide: started as the page starts it, or as Pyodide is started without this project.
import * as Comlink from "comlink";
import { filesForThisBrowser } from "../../../web/src/engine/files.js";
import { bootPython } from "../../../web/src/engine/worker/boot.js";
import { SLICE_MS, turn } from "../../../web/src/engine/worker/slices.js";

/** @typedef {import("../../../web/src/engine/protocol.js").RuntimeFile} RuntimeFile */
/** @typedef {{model: Record<string, unknown>, train: Record<string, unknown>}} Settings */

/** @type {import("pyodide").PyodideInterface} */
let pyodide;
/** @type {Record<string, any>} what the benchmark's own Python defines */
const python = {};
/** @type {Settings} */
let settings;

/** The run, at its start. */
function pace() {
  const model = pyodide.toPy(settings.model);
  const train = pyodide.toPy(settings.train);
  const run = python.Pace(model, train);
  model.destroy();
  train.destroy();
  return run;
}

/** A Python value as a plain one. @param {any} proxy */
function plain(proxy) {
  const value = proxy.toJs({ dict_converter: Object.fromEntries });
  proxy.destroy();
  return value;
}

/** Seconds that `steps` steps take, in slices. @param {any} run @param {number} steps */
async function advance(run, steps) {
  let seconds = 0;
  while (steps) {
    const [taken, more] = plain(run.advance(SLICE_MS, steps));
    steps -= taken;
    seconds += more;
    await turn();
  }
  return seconds;
}

const api = {
  /**
   * @param {string} base                 absolute URL of the folder with Pyodide's files
   * @param {RuntimeFile[] | null} files  with absolute URLs, to start as the page does; null: Pyodide and nothing else
   * @param {Record<string, string>} sources   Python modules: file name and text
   */
  async boot(base, files, sources) {
    let loops;
    if (files) {
      const booted = await bootPython(filesForThisBrowser(files), base, () => {});
      pyodide = booted.pyodide;
      loops = booted.loops.report;
    } else {
      importScripts(`${base}pyodide.js`);
      const { loadPyodide } = /** @type {typeof import("pyodide")} */ (/** @type {unknown} */ (self));
      pyodide = await loadPyodide({ indexURL: base });
      await pyodide.loadPackage("microtransformer", { messageCallback: () => {} });
    }
    for (const [filename, text] of Object.entries(sources)) {
      const globals = pyodide.toPy({ __name__: filename.replace(".py", "") });
      pyodide.runPython(text, { globals, filename });
      for (const name of ["Pace", "profile"]) if (globals.has(name)) python[name] = globals.get(name);
    }
    return loops;
  },
  /** @param {Settings} given */
  prepare(given) {
    settings = given;
  },
  /** @param {number} steps @returns {number[]} */
  losses(steps) {
    const run = pace();
    const losses = plain(run.losses(steps));
    run.destroy();
    return losses;
  },
  /** @param {number} steps @param {number} warm */
  async seconds(steps, warm) {
    const run = pace();
    await advance(run, warm);
    const seconds = await advance(run, steps);
    run.destroy();
    return seconds;
  },
  /** What `profile` in tally.py returns. @param {number} steps */
  profile: (steps) => plain(python.profile(pace, steps)),
};

Comlink.expose(api);
