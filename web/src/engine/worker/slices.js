// Training in slices: a little work, then a turn for whatever message waits, so that a pause, a probe or a new
// setting is answered at once. Pages that train at the same time take turns, a slice each.

/** @typedef {import("../protocol.js").RunEvent} RunEvent */

/** Milliseconds of work between two looks at the message queue. The piece of work that crosses this line, a step or a
 * chunk of the evaluation, is finished first; so a message waits for at most this and one piece. */
export const SLICE_MS = 4;
/** Milliseconds between two reports of the speed. */
const SPEED_MS = 500;

// A message to ourselves comes after those already waiting. setTimeout(0) would do too, but browsers hold it back
// for 4 ms once it is nested, as long as a slice. One channel for good: a channel per turn would pile up.
const channel = new MessageChannel();
/** To be awaited in one place at a time. @returns {Promise<void>} */
export const turn = () =>
  new Promise((resolve) => {
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });

/** Those that train. @type {Set<Slices>} */
const training = new Set();
let busy = false;

async function takeTurns() {
  if (busy) return;
  busy = true;
  while (training.size) {
    for (const slices of training) {
      slices.work();
      await turn();
    }
  }
  busy = false;
}

export class Slices {
  /** @type {{run: number, until: number, goal: number} | null} */
  #goal = null;
  #measured = { steps: 0, seconds: 0, since: 0 };

  /**
   * @param {import("./boot.js").Playground["advance"]} advance
   * @param {(event: RunEvent) => void} report
   */
  constructor(advance, report) {
    this.advance = advance;
    this.report = report;
  }

  /** Work towards epoch `until`. @param {number} run @param {number} until @param {number} goal */
  run(run, until, goal) {
    if (!this.#goal) this.#measure();
    this.#goal = { run, until, goal };
    training.add(this);
    takeTurns();
  }

  /** Stop after the slice in progress; what it has done is kept. */
  stop() {
    if (this.#goal) this.report({ type: "idle", run: this.#goal.run, goal: this.#goal.goal });
    this.drop();
  }

  /** The same, telling nobody. */
  drop() {
    this.#goal = null;
    training.delete(this);
  }

  /** One slice. */
  work() {
    if (!this.#goal) return;
    const { run, until, goal } = this.#goal;
    const { done, steps, step_seconds, record, error } = this.#advance(until);
    if (record) this.report({ type: "epoch", run, record });
    const measured = this.#measured;
    measured.steps += steps;
    measured.seconds += step_seconds;
    if (measured.steps && performance.now() - measured.since >= SPEED_MS) {
      this.report({ type: "speed", run, stepsPerSecond: measured.steps / measured.seconds });
      this.#measure();
    }
    if (error) {
      this.drop();
      this.report({ type: "error", run, goal, message: error });
    } else if (done) {
      this.stop();
    }
  }

  #measure() {
    this.#measured = { steps: 0, seconds: 0, since: performance.now() };
  }

  /** An exception, such as memory that has run out, stops training like a loss that is not finite.
   * @param {number} until @returns {ReturnType<import("./boot.js").Playground["advance"]>} */
  #advance(until) {
    try {
      return this.advance(SLICE_MS, until);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { done: false, steps: 0, step_seconds: 0, record: undefined, error: `Training stopped: ${message}` };
    }
  }
}
