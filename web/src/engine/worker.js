// The engine's worker: owns Pyodide and the one run it holds. Knows nothing of the page.
import * as Comlink from "comlink";
import { bootPython } from "./worker/boot.js";
import { Slices } from "./worker/slices.js";

/** @typedef {import("./protocol.js").EngineApi} EngineApi */

/** @type {import("./worker/boot.js").Playground | undefined} */
let playground;
/** @type {Slices | undefined} */
let slices;
/** @type {import("./worker/loops.js").EngineLoops | undefined} */
let loops;
let current = 0;

/** The playground, if `run` is the run it holds. @param {number} run */
function holding(run) {
  if (!playground || !slices) throw new Error("The engine has not been started.");
  if (run !== current) throw new Error(`Run ${run} has been replaced by run ${current}.`);
  return { playground, slices };
}

/** @type {EngineApi} */
const api = {
  async boot(files, base, onProgress, onEvent) {
    const engine = await bootPython(files, base, onProgress);
    playground = engine.playground;
    loops = engine.loops;
    slices = new Slices(playground, onEvent);
    return loops.report;
  },
  async useLoops(on) {
    if (!loops) throw new Error("The engine has not been started.");
    loops.enable(on);
    return loops.report;
  },
  async start(run, settings) {
    if (!playground || !slices) throw new Error("The engine has not been started.");
    slices.stop();
    const facts = playground.start(settings);
    current = run;
    return facts;
  },
  async train(run, until, goal) {
    holding(run).slices.run(run, until, goal);
  },
  async pause(run) {
    holding(run).slices.stop();
  },
  async observe(run, epoch, probe) {
    const observation = holding(run).playground.observe(epoch, probe);
    const arrays = [observation.attention, observation.confidence];
    return Comlink.transfer(observation, arrays.map((a) => /** @type {Float32Array} */ (a).buffer));
  },
};

Comlink.expose(api);
