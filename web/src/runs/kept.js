// A run as it was when the reader kept it: the engine may go on with it, or with another.
import { LiveRun } from "./live.js";

/** @typedef {import("./recorded.js").RecordedRun} RecordedRun */

export class KeptRun {
  /** @param {LiveRun} run   of which the engine has been told to keep it */
  constructor(run) {
    this.run = run;
    this.facts = run.facts;
    this.records = [...run.records];
  }

  /** @param {number} epoch @param {string} probe */
  observe(epoch, probe) {
    return this.run.observe(epoch, probe);
  }
}

/** A recorded run never changes: it is kept as it is. @param {LiveRun | RecordedRun} run */
export const frozen = (run) => (run instanceof LiveRun ? new KeptRun(run) : run);
