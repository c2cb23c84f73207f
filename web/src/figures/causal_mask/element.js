// <causal-mask>: edit scores under either mask; change a token and see which outputs move.
import { Figure } from "../figure.js";
import { keyOf } from "../questions.js";
import { LARGEST, PRESETS, asksChanges, asksWeights, nearestRecorded } from "./asks.js";
import { changeParts } from "./changes.js";
import { parts } from "./view.js";

export class CausalMask extends Figure {
  /** As far as the boxes hold numbers. */
  #scores = Object.values(PRESETS)[0];

  connect() {
    this.addEventListener("input", (event) => this.#changed(/** @type {HTMLInputElement} */ (event.target)));
    this.addEventListener("change", () => this.#write()); // a box that holds no number shows what counts
    for (const button of this.querySelectorAll("button")) {
      button.addEventListener("click", () => {
        this.#scores = PRESETS[button.dataset.preset ?? ""];
        this.#write();
        this.refresh();
      });
    }
  }

  question() {
    return asksWeights(this.#scores, this.#checked("causal-mask"));
  }

  /** @param {import("../questions.js").Question} question */
  nearest(question) {
    return nearestRecorded(question);
  }

  /** @param {import("./view.js").Masked} answer */
  show(answer) {
    this.fill(parts(answer));
  }

  /** @param {HTMLInputElement} control */
  #changed(control) {
    if (control.name !== "causal-changed") {
      const typed = this.#boxes().map((box) => box.valueAsNumber);
      if (typed.some((value) => !(Math.abs(value) <= LARGEST))) return;
      const T = this.#scores.length;
      this.#scores = this.#scores.map((_, i) => typed.slice(i * T, (i + 1) * T));
      this.refresh();
    }
    if (control.name) this.#showChanges();
  }

  /** About the recorded run under either mask: all that can be asked is recorded. */
  async #showChanges() {
    try {
      const { answers } = await this.recording();
      const changes = asksChanges(this.#checked("causal-mask")).map((question) => answers[keyOf(question)]);
      this.fill(changeParts(changes, Number(this.#checked("causal-changed"))));
    } catch (error) {
      this.fill({ moves: error instanceof Error ? error.message : String(error) });
    }
  }

  /** @param {string} name */
  #checked(name) {
    return /** @type {HTMLInputElement} */ (this.get(`[name=${name}]:checked`)).value;
  }

  /** @returns {HTMLInputElement[]} */
  #boxes() {
    return [...this.querySelectorAll("input.score")].map((box) => /** @type {HTMLInputElement} */ (box));
  }

  #write() {
    this.#boxes().forEach((box, i) => (box.value = String(this.#scores.flat()[i])));
  }
}
