// What the trainer's controls and its line about the engine show.
import { write } from "../state.js";
import { setText } from "../widgets/text.js";
import { css, viridis } from "../widgets/viridis.js";
import { percent } from "./sentences.js";
import { downloaded, engineStatus } from "./status.js";

/** @typedef {import("./controller.js").TrainerController} TrainerController */
/** @typedef {import("../state.js").ScreenSettings} ScreenSettings */

export class ControlsView {
  /** @param {HTMLElement} figure */
  constructor(figure) {
    this.figure = figure;
    this.#drawScale();
  }

  /** @param {TrainerController} view */
  draw(view) {
    this.#drawControls(view);
    this.#drawStatus(view);
  }

  /** @template {HTMLElement} [E=HTMLElement] @param {string} selector @returns {E} */
  #get(selector) {
    return /** @type {E} */ (this.figure.querySelector(selector));
  }

  /** @param {string} selector @param {string} text */
  #text(selector, text) {
    setText(this.#get(selector), text);
  }

  /** @param {TrainerController} view */
  #drawControls(view) {
    for (const field of /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (
      this.figure.querySelectorAll("[data-setting]")
    )) {
      const value = write(view.settings[/** @type {keyof ScreenSettings} */ (field.dataset.setting)]);
      if (field instanceof HTMLSelectElement) choose(field, value);
      else if (field.type === "radio") field.checked = field.value === value;
      else if (field.type === "checkbox") field.checked = value === "on";
      // A field that is being typed in, or whose text is explained as wrong, keeps it.
      else if (document.activeElement !== field && field.getAttribute("aria-invalid") !== "true") field.value = value;
    }
    /** @type {HTMLButtonElement} */ (this.#get("[data-action=keep]")).disabled = view.trained === 0;
    this.#text("[data-action=replay]", view.replaying ? "Stop" : "Replay");
    const slider = /** @type {HTMLInputElement} */ (this.#get("input[type=range]"));
    slider.max = String(view.epochs);
    slider.value = String(view.epoch);
    slider.style.setProperty("--trained", percent(view.trained / Math.max(1, view.epochs), 1));
    this.#text("output.epoch", `${view.epoch} of ${view.epochs}`);
  }

  /** @param {TrainerController} view */
  #drawStatus(view) {
    const { state, progress } = view.engine;
    this.#text(".status", engineStatus(view));
    this.#text(".notice", view.notice);
    this.#get(".notice").classList.toggle("passing", view.passing);
    this.#text(".bytes", state === "loading" ? downloaded(view.engine) : "");
    const bar = /** @type {HTMLProgressElement} */ (this.#get("progress"));
    bar.hidden = state !== "loading";
    if (progress.phase === "start") bar.removeAttribute("value");
    else bar.value = progress.loaded / Math.max(1, progress.total);
    this.#get("[data-action=retry]").hidden = state !== "failed";
    const { loops } = view.engine;
    const box = /** @type {HTMLInputElement} */ (this.#get("[data-action=loops]"));
    this.#get(".loops").hidden = state !== "live" || !loops?.installed.length;
    box.checked = loops?.on ?? false;
  }

  #drawScale() {
    const canvas = /** @type {HTMLCanvasElement} */ (this.#get(".scale canvas"));
    const context = canvas.getContext("2d");
    if (!context) return;
    for (let x = 0; x < canvas.width; x++) {
      context.fillStyle = css(viridis(x / (canvas.width - 1)));
      context.fillRect(x, 0, 1, canvas.height);
    }
  }
}

/** Choose a value, even one that is not offered: a run from a file may have it; it is offered as long as it holds.
 * @param {HTMLSelectElement} field @param {string} value */
function choose(field, value) {
  if (field.value === value) return;
  for (const added of field.querySelectorAll("[data-added]")) added.remove();
  field.value = value;
  if (field.value === value) return;
  const option = new Option(value, value, false, true);
  option.dataset.added = "";
  field.add(option);
}
