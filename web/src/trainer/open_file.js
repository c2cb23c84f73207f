// Opening a run from a file: a saved run (.npz) goes on as it is; the settings of a run file (.json) are trained again.
import { PACKAGE } from "../runs/package.js";
import { furthest, readRunFile } from "../share/history.js";
import { settingsOf } from "../state.js";
import { SHOWN, beyondControls, beyondNote } from "./beyond.js";
import { nats } from "./sentences.js";

/** @typedef {import("./controller.js").TrainerController} TrainerController */
/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */

/** Bytes of a file that is opened; the default run has 4 MB. */
const LARGEST = 64e6;
const LARGEST_JSON = 16e6;

export class OpenFile {
  /** @param {HTMLElement} figure @param {TrainerController} controller */
  constructor(figure, controller) {
    this.controller = controller;
    figure.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
      const [file] = target.files ?? [];
      if (file) this.#open(file);
      target.value = ""; // the same file may be chosen again
    });
    const carriesFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
    figure.addEventListener("dragover", (event) => {
      if (!carriesFile(event)) return;
      event.preventDefault(); // otherwise the browser opens what is dropped in the place of the page
      figure.classList.add("dropping");
    });
    figure.addEventListener("dragleave", () => figure.classList.remove("dropping"));
    figure.addEventListener("drop", (event) => {
      figure.classList.remove("dropping");
      if (!carriesFile(event)) return;
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this.#open(file);
    });
  }

  /** @param {File} file */
  async #open(file) {
    const { controller } = this;
    try {
      const told = await this.#read(file);
      if (told) controller.tell([told]);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      controller.tell([`${file.name} was not opened: ${message}`, "The run on screen has stayed."]);
    }
  }

  /** What to tell the reader. @param {File} file */
  async #read(file) {
    if (file.size > LARGEST) throw new Error(`it has ${megabytes(file.size)} MB, and at most ${megabytes(LARGEST)} are read.`);
    const content = new Uint8Array(await file.arrayBuffer());
    if (String.fromCharCode(...content.subarray(0, 2)) === "PK") return this.#restore(file.name, content);
    if (file.size > LARGEST_JSON) throw new Error("it is no .npz archive, and too large for a run file.");
    return this.#trainAgain(file.name, new TextDecoder().decode(content));
  }

  /** @param {string} name @param {Uint8Array<ArrayBuffer>} content */
  async #restore(name, content) {
    const { controller } = this;
    const { engine } = controller;
    await this.#live();
    const id = engine.newRun();
    const restored = await engine.api.restore(id, content, SHOWN);
    controller.adopt(id, restored, name);
    const { task, mask } = restored.train;
    const trained = `${controller.trained} of ${controller.epochs} epochs`;
    return `Opened ${name}: ${task}, ${mask} mask, ${trained}. ${beyondNote(restored)}`;
  }

  /** @param {string} name @param {string} text */
  async #trainAgain(name, text) {
    const { controller } = this;
    const { history, ...given } = readRunFile(text);
    const [model, train] = [{ ...PACKAGE.model, ...given.model }, { ...PACKAGE.train, ...given.train }];
    for (const [setting, [least, greatest]] of Object.entries(SHOWN)) {
      const value = Number(/** @type {import("../engine/protocol.js").Settings} */ (model)[setting]);
      if (value < least || value > greatest) {
        const only = least === greatest ? least : `${least} to ${greatest}`;
        throw new Error(`its ${setting} is ${value}; what can be shown here is ${only}.`);
      }
    }
    await this.#live();
    const facts = /** @type {RunFacts} */ (/** @type {unknown} */ ({ model, train }));
    controller.trainRun(settingsOf(facts), Object.fromEntries(beyondControls(facts)), history.length - 1);
    controller.tell([`Training the run of ${name} again, with its settings.`]);
    const start = controller.latestStart;
    await controller.when(() => controller.latestStart !== start || controller.refusal !== "" || controller.rests);
    if (controller.refusal) throw new Error(controller.refusal);
    if (controller.latestStart !== start || !controller.live) return ""; // the reader has gone on to another run
    const { gap, epoch } = furthest(controller.live.records, history);
    const apart = gap < 1e-6 ? "less than 0.000001 nats" : `at most ${gap < 5e-4 ? gap.toPrecision(1) : nats(gap)} nats, at epoch ${epoch}`;
    return `The settings of ${name}, trained again here: its held-out loss and this one differ by ${apart}.`;
  }

  /** Until the engine is live; an Error when it does not start. */
  async #live() {
    const { engine } = this.controller;
    if (engine.barred) throw new Error("it needs the live engine, and the page that embeds this figure shows recorded runs only.");
    if (engine.state !== "live") this.controller.tell(["The live engine is starting; the file is opened when it runs."]);
    engine.load();
    await this.controller.when(() => engine.state === "live" || engine.state === "failed");
    if (engine.state === "failed") throw new Error(`it needs the live engine. ${engine.failure}`);
  }
}

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
