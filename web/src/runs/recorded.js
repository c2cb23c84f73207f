// Runs trained when the site was built: history, and attention for a handful of probes. No Python needed.

/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */
/** @typedef {import("../engine/protocol.js").Observation} Observation */

/** @typedef {RunFacts & {history: EpochRecord[], probes: Record<string, Observation[]>}} Recording */

export class RecordedRun {
  /** @param {Recording} recording */
  constructor(recording) {
    this.facts = recording;
    this.records = recording.history;
    this.probes = recording.probes;
  }

  /** This run as it was after so many epochs. @param {number} trained */
  until(trained) {
    if (trained >= this.records.length - 1) return this;
    const recording = /** @type {Recording} */ (this.facts);
    return new RecordedRun({ ...recording, history: this.records.slice(0, trained + 1) });
  }

  /** Null for a probe that was not recorded. @param {number} epoch @param {string} probe */
  observe(epoch, probe) {
    return this.probes[probe]?.[epoch] ?? null;
  }
}

export class Recordings {
  /** @type {Map<string, Promise<RecordedRun>>} */
  #runs = new Map();

  /** @param {Record<string, string>} urls   "task-mask" -> URL of the recording */
  constructor(urls) {
    this.urls = urls;
  }

  /** Of the default run with this task and mask. @param {string} task @param {string} mask */
  has(task, mask) {
    return `${task}-${mask}` in this.urls;
  }

  /** @param {string} task @param {string} mask @returns {Promise<RecordedRun>} */
  get(task, mask) {
    const key = `${task}-${mask}`;
    let run = this.#runs.get(key);
    if (!run) {
      run = this.#fetch(key);
      run.catch(() => this.#runs.delete(key)); // a failure is not kept: the next time may work
      this.#runs.set(key, run);
    }
    return run;
  }

  /** @param {string} key */
  async #fetch(key) {
    const response = await fetch(this.urls[key]);
    if (!response.ok) throw new Error(`The recorded run did not load: the server answered ${response.status}.`);
    return new RecordedRun(await response.json());
  }
}
