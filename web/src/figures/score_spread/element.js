// <score-spread>: choose d_k, draw again, see how far scores spread and what softmax makes of them.
import { whole } from "../../share/fields.js";
import { Figure } from "../figure.js";
import { parts } from "./view.js";

/** Of a link: no reader draws more often. */
const LARGEST_SEED = 9999;

export class ScoreSpread extends Figure {
  #seed = 0;

  connect() {
    const { slider, field } = this.controls();
    slider.addEventListener("input", () => this.#choose(Math.round(2 ** slider.valueAsNumber)));
    slider.addEventListener("keydown", (event) => {
      const width = byKey(event.key, this.question().args.d_k, Number(field.max));
      if (width === undefined) return;
      event.preventDefault();
      this.#choose(width);
    });
    field.addEventListener("input", () => {
      if (field.validity.valid && field.value) this.#place(field.valueAsNumber);
    });
    field.addEventListener("change", () => this.#choose(this.question().args.d_k)); // what was no width is replaced
    this.get("button").addEventListener("click", () => {
      this.#seed += 1;
      this.refresh();
    });
  }

  /** @override */
  fields() {
    const set = (/** @type {string} */ text) => {
      this.#seed = Number(text);
      this.refresh();
    };
    return [...super.fields(), { name: "seed", read: () => String(this.#seed), parse: whole(0, LARGEST_SEED), set }];
  }

  controls() {
    return {
      slider: /** @type {HTMLInputElement} */ (this.get("input[type=range]")),
      field: /** @type {HTMLInputElement} */ (this.get("input[type=number]")),
    };
  }

  question() {
    const { slider } = this.controls();
    return { name: "score_spread", args: { d_k: Math.round(2 ** slider.valueAsNumber), seed: this.#seed } };
  }

  /** The nearest power of two, of the first seed. @param {ReturnType<ScoreSpread["question"]>} question */
  nearest({ name, args }) {
    return { name, args: { d_k: 2 ** Math.round(Math.log2(args.d_k)), seed: 0 } };
  }

  /** @param {import("./view.js").Spread} answer @param {import("../questions.js").Question} question */
  show(answer, { args }) {
    this.fill(parts(answer, Number(args.seed)));
  }

  /** @param {number} width */
  #choose(width) {
    this.controls().field.value = String(width);
    this.#place(width);
  }

  /** @param {number} width */
  #place(width) {
    const { slider } = this.controls();
    if (Math.round(2 ** slider.valueAsNumber) !== width) slider.value = String(Math.log2(width));
    slider.setAttribute("aria-valuetext", String(width));
    this.refresh();
  }
}

/** The width that a key of the slider leads to: the arrows go by one, page up and down by the factor 2.
 * @param {string} key @param {number} width @param {number} largest */
function byKey(key, width, largest) {
  const to = {
    ArrowRight: width + 1, ArrowUp: width + 1, ArrowLeft: width - 1, ArrowDown: width - 1,
    PageUp: 2 * width, PageDown: Math.round(width / 2), Home: 1, End: largest,
  }[key];
  return to === undefined ? undefined : Math.min(largest, Math.max(1, to));
}
