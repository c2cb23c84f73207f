// <softmax-jacobian>: drag the scores, change their scale, see the Jacobian of softmax vanish.
import { Figure } from "../figure.js";
import { fixed } from "../numbers.js";
import { keyOf } from "../questions.js";
import { atStop } from "./stops.js";
import { parts, scoreBar } from "./view.js";

export class SoftmaxJacobian extends Figure {
  /** Scores whose answers are recorded: those of the first drawing. @type {number[]} */
  #recorded = [];

  connect() {
    this.#recorded = this.question().args.scores;
    this.addEventListener("input", () => {
      this.#drawControls();
      this.refresh();
    });
  }

  question() {
    const { scores, scale } = this.controls();
    const args = { scores: scores.map((input) => input.valueAsNumber), scale: atStop(scale.valueAsNumber) };
    return { name: "jacobian_picture", args };
  }

  controls() {
    const [scale, ...scores] = /** @type {NodeListOf<HTMLInputElement>} */ (this.querySelectorAll("input"));
    return { scale, scores };
  }

  /** @param {import("../questions.js").Question} question */
  nearest({ name, args }) {
    return { name, args: { ...args, scores: this.#recorded } };
  }

  /** @param {import("./view.js").Picture} answer @param {import("../questions.js").Question} question */
  show(answer, question) {
    this.fill(parts(answer));
    // Until the engine runs, the answer may be about other scores than those on screen.
    this.toggleAttribute("data-apart", this.engine.state !== "live" && keyOf(question) !== keyOf(this.question()));
  }

  /** The reader's own numbers follow at once, whoever answers. */
  #drawControls() {
    const { scores, scale } = this.question().args;
    this.controls().scale.setAttribute("aria-valuetext", String(scale));
    /** @type {Record<string, string>} */
    const shown = { scale: String(scale) };
    scores.forEach((score, j) => {
      shown[`score-${j}`] = scoreBar(score);
      shown[`value-${j}`] = fixed(score, 1);
    });
    this.fill(shown);
  }
}
