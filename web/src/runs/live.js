// The run that the engine holds, as the page sees it: its records so far, and answers about any epoch of it.

/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */
/** @typedef {import("../engine/protocol.js").Observation} Observation */

export class LiveRun {
  /** @type {EpochRecord[]} */
  records = [];
  /** Number of the latest call of `train`: only its end is the end of training. */
  goal = 0;
  /** Whether training has stopped by itself, for instance because the loss was not finite. */
  broken = false;
  /** The epoch that it works towards; null once training has ended or was paused. @type {number | null} */
  until = null;
  /** Name of the file that the run comes from, or "". */
  origin = "";

  /**
   * @param {import("../engine/client.js").Engine} engine
   * @param {number} id
   * @param {RunFacts} facts
   */
  constructor(engine, id, facts) {
    this.engine = engine;
    this.id = id;
    this.facts = facts;
    this.start = engine.starts;
  }

  /** Whether the engine still is the one that the run was started in. */
  get isReachable() {
    return this.engine.state === "live" && this.engine.starts === this.start;
  }

  /** Work towards an epoch, once the engine does not rest; the engine's events report it. @param {number} until */
  async train(until) {
    Object.assign(this, { broken: false, until, goal: this.goal + 1 });
    this.engine.run = this;
    if (!this.engine.resting) await this.engine.api.train(this.id, until, this.goal);
  }

  pause() {
    this.until = null;
    return this.engine.api.pause(this.id);
  }

  /** Stop for as long as the engine rests: with another goal, the worker's "idle" is not taken for the end. */
  rest() {
    if (this.until === null) return;
    this.goal++;
    this.engine.api.pause(this.id).catch(() => {}); // a run that has been replaced does not train
  }

  /** Go on after a rest. */
  resume() {
    if (this.until !== null) this.train(this.until).catch(() => {});
  }

  /** Rejects once the engine has stopped, or holds this run no longer.
   * @param {number} epoch @param {string} probe @returns {Promise<Observation>} */
  async observe(epoch, probe) {
    return this.engine.api.observe(this.id, epoch, probe);
  }
}
