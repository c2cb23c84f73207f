// Training in slices: a little work, then a turn for whatever message waits, so that a pause, a probe or a new
// setting is answered at once.

/** @typedef {import("../protocol.js").EngineEvent} EngineEvent */

/** Milliseconds of work between two looks at the message queue. The piece of work that crosses this line, a step or a
 * chunk of the evaluation, is finished first; so a message waits for at most this and one piece. */
export const SLICE_MS = 4;
/** Milliseconds between two reports of the speed. */
const SPEED_MS = 500;

// A message to ourselves comes after those already waiting. setTimeout(0) would do too, but browsers hold it back
// for 4 ms once it is nested, as long as a slice. One channel for good: a channel per turn would pile up.
const channel = new MessageChannel();
/** @returns {Promise<void>} */
export const turn = () =>
  new Promise((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });

export class Slices {
  /** @type {{run: number, until: number, goal: number} | null} */
  #goal = null;
  #busy = false;

  /**
   * @param {import("./boot.js").Playground} playground
   * @param {(event: EngineEvent) => void} report
   */
  constructor(playground, report) {
    this.playground = playground;
    this.report = report;
  }

  /** Work towards epoch `until`. @param {number} run @param {number} until @param {number} goal */
  run(run, until, goal) {
    this.#goal = { run, until, goal };
    if (!this.#busy) this.#loop();
  }

  /** Stop after the slice in progress; what it has done is kept. */
  stop() {
    if (this.#goal) this.report({ type: "idle", run: this.#goal.run, goal: this.#goal.goal });
    this.#goal = null;
  }

  /** One slice. An exception, such as memory that has run out, stops training like a loss that is not finite.
   * @param {number} until @returns {ReturnType<import("./boot.js").Playground["advance"]>} */
  #advance(until) {
    try {
      return this.playground.advance(SLICE_MS, until);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { done: false, steps: 0, step_seconds: 0, record: undefined, error: `Training stopped: ${message}` };
    }
  }

  async #loop() {
    this.#busy = true;
    let measured = { steps: 0, seconds: 0, since: performance.now() };
    while (this.#goal) {
      const { run, until, goal } = this.#goal;
      const { done, steps, step_seconds, record, error } = this.#advance(until);
      if (record) this.report({ type: "epoch", run, record });
      measured.steps += steps;
      measured.seconds += step_seconds;
      if (measured.steps && performance.now() - measured.since >= SPEED_MS) {
        this.report({ type: "speed", run, stepsPerSecond: measured.steps / measured.seconds });
        measured = { steps: 0, seconds: 0, since: performance.now() };
      }
      if (error) {
        this.#goal = null;
        this.report({ type: "error", run, goal, message: error });
      } else if (done) {
        this.stop();
      }
      await turn();
    }
    this.#busy = false;
  }
}
