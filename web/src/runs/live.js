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
  }

  /** Work towards an epoch; the engine's events report it. @param {number} until */
  train(until) {
    this.broken = false;
    return this.engine.api.train(this.id, until, ++this.goal);
  }

  pause() {
    return this.engine.api.pause(this.id);
  }

  /** Rejects once the engine has stopped, or holds this run no longer.
   * @param {number} epoch @param {string} probe @returns {Promise<Observation>} */
  async observe(epoch, probe) {
    return this.engine.api.observe(this.id, epoch, probe);
  }
}
