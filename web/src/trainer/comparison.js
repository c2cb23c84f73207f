// The run that is kept beside the one on screen.
import { RecordedRun } from "../runs/recorded.js";
import { frozen } from "../runs/kept.js";
import { Observer } from "./observer.js";

/** @typedef {import("../runs/live.js").LiveRun} LiveRun */
/** @typedef {RecordedRun | import("../runs/kept.js").KeptRun} Kept */

export class Comparison {
  /** @type {Kept | null} */
  run = null;
  /** The epoch of the kept run beside the one on screen: the same, or its last. */
  epoch = 0;
  /** Why there are no maps of the kept run for the probe on screen: a sentence, or "". */
  gap = "";

  /** @param {import("../engine/client.js").Engine} engine @param {() => void} answered */
  constructor(engine, answered) {
    this.engine = engine;
    this.observer = new Observer(answered);
  }

  /** Keep a run as it is now. @param {LiveRun | RecordedRun} run */
  async keep(run) {
    // Asked before anything else can replace the run in the engine.
    if (this.engine.state === "live") await this.engine.api.keep(run instanceof RecordedRun ? null : run.id);
    this.run = frozen(run);
    this.gap = "";
  }

  drop() {
    this.run = null;
    if (this.engine.state === "live") this.engine.api.keep(null);
  }

  get record() {
    return this.run?.records[this.epoch] ?? null;
  }

  /** What the kept run makes of the probe, if that is known. */
  get shown() {
    const { shown } = this.observer;
    return shown?.run === this.run && !this.gap ? shown : null;
  }

  /** Follow the screen. @param {number} epoch @param {string} probe */
  ask(epoch, probe) {
    const { run } = this;
    if (!run) return;
    this.epoch = Math.min(epoch, run.records.length - 1);
    if (run instanceof RecordedRun) {
      const known = this.observer.ask({ run, epoch: this.epoch, probe });
      const probes = Object.keys(run.probes).join(", ");
      this.gap = known ? "" : `This run comes from a recording, which has maps for ${probes} only.`;
    } else if (run.run.isReachable) {
      this.observer.ask({ run, epoch: this.epoch, probe });
    } else {
      this.gap = "The engine that held this run has stopped: its scores are still here, its maps are not.";
    }
  }
}
