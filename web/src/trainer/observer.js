// What the model on screen makes of the probe: kept up to date, one question to the engine at a time.

/** @typedef {import("../engine/protocol.js").Observation} Observation */
/** @typedef {import("../runs/recorded.js").RecordedRun} RecordedRun */
/** @typedef {RecordedRun | import("../runs/live.js").LiveRun | import("../runs/kept.js").KeptRun} Run */
/** @typedef {{run: Run, epoch: number, probe: string}} Question */

export class Observer {
  /** The latest answer, and the question it belongs to; it lags a moment behind what was asked for.
   * @type {(Question & {observation: Observation}) | null} */
  shown = null;
  /** @type {Question | null} */
  #wanted = null;
  #asking = false;

  /** @param {() => void} answered   called when an answer has arrived */
  constructor(answered) {
    this.answered = answered;
  }

  /**
   * Ask. False when a recorded run has no answer for the probe: another probe of it then stays in sight.
   * @param {Question} question
   */
  ask(question) {
    const { run, epoch, probe } = question;
    if (!("probes" in run)) {
      this.#wanted = question;
      if (!this.#asking) this.#askEngine();
      return true;
    }
    const known = run.observe(epoch, probe) !== null;
    const before = this.shown?.probe ?? "";
    const instead = run.observe(epoch, before) ? before : Object.keys(run.probes)[0];
    const answered = known ? probe : instead;
    const observation = run.observe(epoch, answered);
    if (observation) this.shown = { run, epoch, probe: answered, observation };
    return known;
  }

  async #askEngine() {
    this.#asking = true;
    while (this.#wanted) {
      const { run, epoch, probe } = this.#wanted;
      this.#wanted = null;
      // No answer: the engine has replaced the run meanwhile, and its successor asks when it is put on screen.
      const observation = await Promise.resolve(run.observe(epoch, probe)).catch(() => null);
      if (!observation) continue;
      this.shown = { run, epoch, probe, observation };
      this.answered();
    }
    this.#asking = false;
  }
}
