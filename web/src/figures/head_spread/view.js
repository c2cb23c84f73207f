// The spread of a model's own scores, head by head. Pure: answers in, HTML out.
import { percent, upright } from "../fluid.js";
import { fixed } from "../numbers.js";
import { runInWords } from "../subject.js";

/** `model_score_spread` in theory/scores.py.
 * @typedef {{layer: number, head: number, std: number, std_scaled: number, mean: number, q_size: number, k_size: number,
 *   predicted: number, if_independent: number}} Head */

/** The parts of the figure. @param {Head[]} heads @param {import("../subject.js").Subject} subject */
export const parts = (heads, subject) => ({ run: runInWords(subject), heads: rows(heads), why: why(heads) });

/** @param {Head[]} heads */
function rows(heads) {
  const drawn = heads.flatMap(({ std, predicted, if_independent }) => [std, predicted, if_independent]);
  const widest = 1.04 * Math.max(...drawn);
  return heads
    .map((head) => {
      const { q_size, k_size, predicted, if_independent, std } = head;
      const cells = [q_size, k_size, predicted, if_independent, std];
      return (
        `<tr><th scope="row">Layer ${head.layer + 1}, head ${head.head + 1}</th>` +
        cells.map((value) => `<td>${fixed(value, 2)}</td>`).join("") +
        `<td class="bar-cell" aria-hidden="true">${bar(head, widest)}</td></tr>`
      );
    })
    .join("");
}

/** @param {Head} head @param {number} widest */
const bar = ({ std, predicted, if_independent }, widest) =>
  `<svg class="fluid" width="100%" height="18">` +
  `<rect class="bins" y="3" width="${percent(std / widest)}" height="12"/>` +
  upright("independent", if_independent / widest, 0, 18) +
  upright("predicted", predicted / widest, 0, 18) +
  `</svg>`;

/** By how much the prediction misses, and why. @param {Head[]} heads */
function why(heads) {
  const sizes = range(heads.flatMap(({ q_size, k_size }) => [q_size, k_size]));
  const off = range(heads.map(({ std, predicted }) => std / predicted));
  const dependent = range(heads.map(({ std, if_independent }) => std / if_independent));
  return (
    `The entries have sizes (root mean squares) of ${sizes}, where 1 is assumed. The measured spread is ${off} times ` +
    `the prediction, and ${dependent} times what independent entries of these sizes with mean 0 would give: as far as ` +
    `this last factor is not 1, queries and keys depend on each other or their means are not 0.`
  );
}

/** @param {number[]} values */
const range = (values) => `${fixed(Math.min(...values), 2)} to ${fixed(Math.max(...values), 2)}`;
