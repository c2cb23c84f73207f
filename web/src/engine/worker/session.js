// What the engine does for one page: the run that it trains, one that is kept beside it, and answers.
import * as Comlink from "comlink";
import { sharedPython } from "./python.js";
import { Slices } from "./slices.js";

/** @typedef {import("../protocol.js").EngineApi} EngineApi */

/** @implements {EngineApi} */
export class Session {
  /** @type {import("./loops.js").EngineLoops | undefined} */
  #loops;
  /** Whether this page wants the SIMD loops. */
  #fast = true;
  /** @type {import("./boot.js").Playground | undefined} */
  #playground;
  /** @type {Slices | undefined} */
  #slices;
  #current = 0;
  /** The run that is kept for comparison. @type {number | null} */
  #kept = null;
  #left = false;
  #endMourning = () => {};

  /** @type {EngineApi["boot"]} */
  async boot(files, base, onProgress, onEvent) {
    const { loops, newPlayground, whenDead } = await sharedPython(files, base, onProgress);
    if (this.#left) throw new Error("The page has left.");
    this.#endMourning = whenDead((cause) => onEvent({ type: "death", cause }));
    this.#loops = loops;
    this.#playground = newPlayground();
    this.#slices = new Slices((budget, until) => this.#python.advance(budget, until), onEvent);
    return this.#report;
  }

  /** @type {EngineApi["useLoops"]} */
  async useLoops(on) {
    this.#fast = on;
    return this.#report;
  }

  /** @type {EngineApi["start"]} */
  async start(run, settings) {
    this.#training.stop();
    const facts = this.#python.start(settings);
    this.#current = run;
    return facts;
  }

  /** @type {EngineApi["train"]} */
  async train(run, until, goal) {
    this.#mustHold(run);
    this.#training.run(run, until, goal);
  }

  /** @type {EngineApi["pause"]} */
  async pause(run) {
    this.#mustHold(run);
    this.#training.stop();
  }

  /** @type {EngineApi["keep"]} */
  async keep(run) {
    if (run === null) {
      this.#python.drop();
    } else {
      this.#mustHold(run);
      this.#python.keep();
    }
    this.#kept = run;
  }

  /** @type {EngineApi["observe"]} */
  async observe(run, epoch, probe) {
    if (run !== this.#kept) this.#mustHold(run);
    const observation = this.#python.observe(epoch, probe, run === this.#kept);
    const arrays = [observation.attention, observation.confidence];
    return Comlink.transfer(observation, arrays.map((a) => /** @type {Float32Array} */ (a).buffer));
  }

  /** @type {EngineApi["restore"]} */
  async restore(run, content, shown) {
    const restored = this.#python.restore(content, shown);
    this.#training.stop();
    this.#current = run;
    return restored;
  }

  /** @type {EngineApi["save"]} */
  async save(run) {
    this.#mustHold(run);
    return this.#python.save();
  }

  /** @type {EngineApi["weights"]} */
  async weights(run, epoch) {
    this.#mustHold(run);
    return this.#python.weights(epoch);
  }

  /** @type {EngineApi["ask"]} */
  async ask(name, args) {
    return this.#python.ask(name, args);
  }

  /** @type {EngineApi["askAbout"]} */
  async askAbout(run, epoch, name, args) {
    this.#mustHold(run);
    return this.#python.askAbout(epoch, name, args);
  }

  /** @type {EngineApi["leave"]} */
  async leave() {
    this.#left = true;
    this.#endMourning();
    this.#slices?.drop();
    this.#playground?.destroy();
    this.#playground = undefined;
  }

  /** The playground, with the loops as this page wants them, whatever another page has wanted just before. */
  get #python() {
    if (!this.#playground || !this.#loops) throw new Error("The engine has not been started.");
    const on = this.#report.on;
    if (this.#loops.report.on !== on) this.#loops.enable(on);
    return this.#playground;
  }

  get #training() {
    if (!this.#slices) throw new Error("The engine has not been started.");
    return this.#slices;
  }

  /** @returns {import("../protocol.js").LoopsReport} */
  get #report() {
    if (!this.#loops) throw new Error("The engine has not been started.");
    const { report } = this.#loops;
    return { ...report, on: this.#fast && report.installed.length > 0 };
  }

  /** @param {number} run */
  #mustHold(run) {
    if (run !== this.#current) throw new Error(`Run ${run} has been replaced by run ${this.#current}.`);
  }
}
