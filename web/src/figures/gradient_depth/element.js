// <gradient-depth>: set a depth, see what is left of the gradient at the first layer.
import { Figure } from "../figure.js";
import { asks, nearest } from "./asks.js";
import { parts } from "./view.js";

export class GradientDepth extends Figure {
  #used = false;

  connect() {
    this.addEventListener("input", () => (this.get("output").textContent = this.#depth.value));
    // Deep and wide models take seconds: computed once the slider is let go.
    this.addEventListener("change", () => {
      this.#used = true;
      this.refresh();
    });
  }

  question() {
    const scaled = /** @type {HTMLInputElement} */ (this.get("[type=checkbox]")).checked;
    const width = /** @type {HTMLInputElement} */ (this.get("[type=radio]:checked"));
    return asks(Number(this.#depth.value), Number(width.value), scaled);
  }

  /** @param {import("../questions.js").Question} question */
  nearest(question) {
    return nearest(question);
  }

  /** Before the reader has set anything, the recorded answer does: the engine has other figures to answer when it starts.
   * @param {import("../questions.js").Question} question */
  async ask(question) {
    if (!this.#used) return undefined;
    this.dataset.asking = "";
    try {
      return await super.ask(question);
    } finally {
      delete this.dataset.asking;
    }
  }

  /** @param {import("./view.js").Picture} answer */
  show(answer) {
    this.fill(parts(answer));
  }

  get #depth() {
    return /** @type {HTMLInputElement} */ (this.get("[type=range]"));
  }
}
