// The panel from which a run leaves the page, as files and as code, and by which one comes in.
import { siteConfig } from "../engine/shared.js";
import { historyCsv, runFile } from "../share/history.js";
import { runName } from "../share/names.js";
import { copy, save } from "../share/save.js";
import { fileAddress } from "../share/site.js";
import { snippet } from "../share/snippet.js";
import { setText } from "../widgets/text.js";
import { OpenFile } from "./open_file.js";

/** @typedef {import("./controller.js").TrainerController} TrainerController */

const BYTES = "application/octet-stream";

export class TakeAway {
  /** @param {HTMLElement} figure @param {TrainerController} controller */
  constructor(figure, controller) {
    this.controller = controller;
    this.panel = /** @type {HTMLElement} */ (figure.querySelector(".take-away"));
    this.code = /** @type {HTMLElement} */ (this.panel.querySelector("pre"));
    this.told = /** @type {HTMLElement} */ (this.panel.querySelector(".told"));
    this.wheel = fileAddress(siteConfig().wheel ?? "");
    new OpenFile(figure, controller);
    this.panel.addEventListener("click", ({ target }) => {
      const what = target instanceof Element ? target.closest("button")?.dataset.take : undefined;
      if (what) this.#take(what);
    });
  }

  /** To be called after every drawing, also while the panel is closed: it opens filled, and nothing jumps.
   * @param {TrainerController} view */
  draw({ run, epoch, trained }) {
    const missing = !run?.records.length;
    for (const button of this.panel.querySelectorAll("button")) button.disabled = missing;
    if (missing) return;
    setText(this.code, snippet(run.facts, trained, this.wheel));
    setText(/** @type {HTMLElement} */ (this.panel.querySelector("[data-take=weights]")), `Weights of epoch ${epoch}`);
  }

  /** @param {string} what */
  #take(what) {
    const { run, epoch } = this.controller;
    if (!run) return;
    this.#tell("");
    const name = runName(run.facts);
    const whole = () => `${name}-epoch${this.controller.trained}`;
    if (what === "csv") save(`${whole()}.csv`, historyCsv(run), "text/csv");
    if (what === "json") save(`${whole()}.json`, runFile(run), "application/json");
    if (what === "py") save(`${name}.py`, this.code.textContent ?? "", "text/x-python");
    if (what === "copy") this.#copy();
    if (what === "run") this.#fromEngine(whole, (api, id) => api.save(id));
    if (what === "weights") this.#fromEngine(() => `${name}-epoch${epoch}-weights`, (api, id) => api.weights(id, epoch));
  }

  async #copy() {
    const copied = await copy(this.code.textContent ?? "");
    if (!copied) getSelection()?.selectAllChildren(this.code);
    this.#tell(copied ? "Copied." : "The code is selected: copy it with the keyboard or the menu.");
  }

  /**
   * Save what only the engine has; a recorded run has to be reproduced first.
   * @param {() => string} nameIt   once it is there: training may have gone on until then
   * @param {(api: TrainerController["engine"]["api"], id: number) => Promise<Uint8Array<ArrayBuffer>>} make
   */
  async #fromEngine(nameIt, make) {
    const { controller } = this;
    const { engine, run } = controller;
    if (!controller.isLive) this.#tell("Weights come from the live engine, which now reproduces this run; then the file follows.");
    engine.load();
    await controller.when(() => engine.state === "failed" || (controller.isLive && controller.live === controller.run));
    const { live } = controller;
    if (!live) return this.#tell(`There is no file without the live engine. ${engine.failure}`);
    if (run && runName(live.facts) !== runName(run.facts)) return this.#tell("Another run has come on screen: nothing was saved.");
    try {
      const content = await make(engine.api, live.id);
      this.#tell(`${save(`${nameIt()}.npz`, content, BYTES)}.`);
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {string} text */
  #tell(text) {
    setText(this.told, text);
  }
}
