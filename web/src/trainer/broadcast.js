// Tells the page around the trainer what happens in it, as DOM events (share/shareable.js).
import { LiveRun } from "../runs/live.js";

/** @typedef {import("../share/shareable.js").Texts} Texts */
/** @typedef {import("./controller.js").TrainerController} TrainerController */

export class Broadcast {
  #state = "";
  #notice = "";
  /** Whether there has been training since the last drawing: a step may come and go between two. */
  #training = false;
  /** @type {LiveRun | null} */
  #run = null;
  /** Records of #run that have been told. */
  #told = 0;

  /** @param {HTMLElement} figure */
  constructor(figure) {
    this.figure = figure;
  }

  /** To be called after every change. @param {boolean} training */
  note(training) {
    this.#training ||= training;
  }

  /** To be called after every drawing. @param {TrainerController} view @param {() => Texts} read */
  follow(view, read) {
    this.#tellEpochs(view);
    if (this.#training && !view.training) this.#tell("done", { epoch: view.trained });
    this.#training = view.training;
    const message = view.notice || (view.engine.state === "failed" ? view.engine.failure : "");
    if (message && message !== this.#notice) this.#tell("error", { message });
    this.#notice = message;
    if (view.training || view.replaying || view.opening) return;
    const state = read();
    const text = JSON.stringify(state);
    if (text !== this.#state) this.#tell("state", { state });
    this.#state = text;
  }

  /** @param {TrainerController} view */
  #tellEpochs({ run }) {
    if (!(run instanceof LiveRun)) return;
    const isNew = run !== this.#run;
    // A run that has reproduced a recorded one comes with epochs that nobody has asked for.
    if (isNew) this.#told = this.#training ? 0 : run.records.length;
    this.#run = run;
    for (const record of run.records.slice(this.#told)) this.#tell("epoch", record);
    this.#told = run.records.length;
  }

  /** @param {string} name @param {unknown} detail */
  #tell(name, detail) {
    this.figure.dispatchEvent(new CustomEvent(`figure-${name}`, { detail, bubbles: true }));
  }
}
