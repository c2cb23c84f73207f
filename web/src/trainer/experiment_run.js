// One experiment from question to answer: the run to compare with is kept, then the experiment's own is trained.
import { DEFAULTS, isDefaultRun, runSettings, sameSettings, settingsOf } from "../state.js";
import { EXPERIMENTS } from "./experiments.js";

/** @typedef {import("../state.js").RunSettings} RunSettings */
/** @typedef {import("./experiments.js").Experiment} Experiment */

export class ExperimentRun {
  /** @type {Experiment | null} */
  chosen = null;
  /** Which of the answers the reader expects. @type {number | null} */
  expected = null;
  /**
   * "compare": the run to compare with is being trained; "keep": it is being kept; "run": the experiment's own is
   * being trained; "done": it is on screen.
   * @type {"chosen" | "compare" | "keep" | "run" | "done"}
   */
  phase = "chosen";
  /** The run that the experiment's own is compared with. @type {import("./comparison.js").Kept | null} */
  against = null;

  /** @param {import("./controller.js").TrainerController} controller */
  constructor(controller) {
    this.controller = controller;
  }

  /** @param {string} id @returns {boolean} whether there is such an experiment */
  choose(id) {
    const found = EXPERIMENTS.find((experiment) => experiment.id === id);
    if (!found) return false;
    if (found !== this.chosen) Object.assign(this, { chosen: found, expected: null, phase: "chosen" });
    return true;
  }

  run() {
    const { chosen, controller } = this;
    if (!chosen) return;
    const compare = chosen.compare && completed(chosen.compare);
    if (compare && !isDefaultRun(compare)) {
      this.phase = "compare";
      controller.trainRun(compare); // `follow` goes on when it has ended
    } else {
      this.#trainAfter(compare ? () => controller.keepRecorded(compare) : async () => controller.drop());
    }
  }

  /** Tell what has come of it, where a link has put its runs on screen. */
  resume() {
    const { chosen, controller, phase } = this;
    if (!chosen || phase !== "chosen" || !controller.hasEnded) return;
    const { run: against } = controller.comparison;
    const compared = chosen.compare
      ? against !== null && sameSettings(settingsOf(against.facts), completed(chosen.compare))
      : against === null;
    if (compared && sameSettings(completed(chosen.settings), controller.settings)) Object.assign(this, { phase: "done", against });
  }

  /** To be called after every change: goes on where a run has ended, and ends where the reader wants something else. */
  follow() {
    const { chosen, controller, phase } = this;
    if (!chosen || phase === "chosen" || phase === "keep") return;
    const settings = completed((phase === "compare" && chosen.compare) || chosen.settings);
    if (!sameSettings(settings, controller.settings)) this.phase = "chosen";
    else if (phase === "compare" && controller.hasEnded) this.#trainAfter(() => controller.keep());
    else if (phase !== "compare") this.phase = controller.hasEnded ? "done" : "run";
  }

  /** Train the experiment's own run, once the one to compare with is kept. @param {() => Promise<void>} keep */
  async #trainAfter(keep) {
    const { chosen, controller } = this;
    this.phase = "keep";
    await keep();
    if (this.phase !== "keep" || !chosen || this.chosen !== chosen) return; // another experiment was chosen meanwhile
    this.against = controller.comparison.run;
    this.phase = "run";
    controller.trainRun(completed(chosen.settings));
  }
}

/** What is not named has its default. @param {Partial<RunSettings>} settings */
const completed = (settings) => runSettings({ ...DEFAULTS, ...settings });
