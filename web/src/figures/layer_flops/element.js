// <layer-flops>: set a layer and the tokens it reads, see where attention overtakes the linear layers.
import { Figure } from "../figure.js";
import { whole } from "../logs.js";
import { asks, LENGTHS, nearest, WIDTHS } from "./asks.js";
import { forms, parts } from "./view.js";

export class LayerFlops extends Figure {
  follows = { d: "model", T: "model" };

  connect() {
    this.addEventListener("input", ({ target }) => {
      if (target === this.#model) this.#takeSizes();
      if (target === this.#width) this.#model.value = ""; // another width: no longer that model
      this.#say(this.#width, WIDTHS);
      this.#say(this.#tokens, LENGTHS);
      this.refresh();
    });
  }

  question() {
    const causal = /** @type {HTMLInputElement} */ (this.get("[type=checkbox]")).checked;
    return asks(LENGTHS[Number(this.#tokens.value)], this.#model.value, WIDTHS[Number(this.#width.value)], causal);
  }

  /** @param {import("../questions.js").Question} question */
  nearest(question) {
    return nearest(question);
  }

  /** @param {import("./view.js").Picture} answer */
  show(answer) {
    this.fill(parts(answer));
    for (const [row, form] of Object.entries(forms(answer))) {
      for (const version of this.get(`[data-row=${row}]`).children) {
        version.toggleAttribute("data-off", version.getAttribute("data-form") !== form);
      }
    }
  }

  /** The width and the tokens of the model that was chosen. */
  #takeSizes() {
    const { d, context } = this.#model.selectedOptions[0].dataset;
    if (d) this.#width.value = String(WIDTHS.indexOf(Number(d)));
    if (context) this.#tokens.value = String(LENGTHS.indexOf(Number(context)));
  }

  /** A slider's value beside it. @param {HTMLInputElement} slider @param {number[]} stops */
  #say(slider, stops) {
    const value = whole(stops[Number(slider.value)]);
    slider.setAttribute("aria-valuetext", value);
    this.get(`[for=${slider.id}]:is(output)`).textContent = value;
  }

  get #model() {
    return /** @type {HTMLSelectElement} */ (this.get("select"));
  }

  get #width() {
    return /** @type {HTMLInputElement} */ (this.get("#layer-flops-d"));
  }

  get #tokens() {
    return /** @type {HTMLInputElement} */ (this.get("#layer-flops-T"));
  }
}
