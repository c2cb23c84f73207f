// The engine's worker: owns Pyodide, the run it trains and one that is kept beside it. Knows nothing of the page.
import * as Comlink from "comlink";
import { bootPython } from "./worker/boot.js";
import { Slices } from "./worker/slices.js";

/** @typedef {import("./protocol.js").EngineApi} EngineApi */

/** @type {(Awaited<ReturnType<typeof bootPython>> & {slices: Slices}) | undefined} */
let engine;
let current = 0;
/** The run that is kept for comparison. @type {number | null} */
let kept = null;

function started() {
  if (!engine) throw new Error("The engine has not been started.");
  return engine;
}

/** The engine, if `run` is the run it holds. @param {number} run */
function holding(run) {
  const held = started();
  if (run !== current) throw new Error(`Run ${run} has been replaced by run ${current}.`);
  return held;
}

/** @type {EngineApi} */
const api = {
  async boot(files, base, onProgress, onEvent) {
    const booted = await bootPython(files, base, onProgress);
    engine = { ...booted, slices: new Slices(booted.playground, onEvent) };
    return engine.loops.report;
  },
  async useLoops(on) {
    const { loops } = started();
    loops.enable(on);
    return loops.report;
  },
  async start(run, settings) {
    const { playground, slices } = started();
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
  async keep(run) {
    const { playground } = run === null ? started() : holding(run);
    if (run === null) playground.drop();
    else playground.keep();
    kept = run;
  },
  async observe(run, epoch, probe) {
    const { playground } = run === kept ? started() : holding(run);
    const observation = playground.observe(epoch, probe, run === kept);
    const arrays = [observation.attention, observation.confidence];
    return Comlink.transfer(observation, arrays.map((a) => /** @type {Float32Array} */ (a).buffer));
  },
  async restore(run, content, shown) {
    const { playground, slices } = started();
    const restored = playground.restore(content, shown);
    slices.stop();
    current = run;
    return restored;
  },
  async save(run) {
    return holding(run).playground.save();
  },
  async weights(run, epoch) {
    return holding(run).playground.weights(epoch);
  },
  async ask(name, args) {
    return started().playground.ask(name, args);
  },
  async askAbout(run, epoch, name, args) {
    return holding(run).playground.askAbout(epoch, name, args);
  },
};

Comlink.expose(api);
