// The spread of a model's own scores, head by head. Pure: answers in, HTML out.
import { percent, upright } from "../fluid.js";
import { fixed } from "../numbers.js";

/** `model_score_spread` in theory/scores.py.
 * @typedef {{layer: number, head: number, std: number, std_scaled: number, mean: number, q_size: number, k_size: number,
 *   predicted: number, if_independent: number}} Head */

/** Rows of the table. @param {Head[]} heads */
export function rows(heads) {
  const drawn = heads.flatMap(({ std, predicted, if_independent }) => [std, predicted, if_independent]);
  const widest = 1.04 * Math.max(...drawn);
  return heads
    .map((head) => {
      const { q_size, k_size, predicted, if_independent, std } = head;
      const cells = [q_size, k_size, predicted, if_independent, std];
      return (
        `<tr><th scope="row">Layer ${head.layer + 1}, head ${head.head + 1}</th>` +
        cells.map((value) => `<td>${fixed(value, 2)}</td>`).join("") +
        `<td class="head-bar" aria-hidden="true">${bar(head, widest)}</td></tr>`
      );
    })
    .join("");
}

/** @param {Head} head @param {number} widest */
const bar = ({ std, predicted, if_independent }, widest) =>
  `<svg class="fluid" width="100%" height="18">` +
  `<rect class="bins" y="3" width="${percent(std / widest)}" height="12"/>` +
  upright("spread-independent", if_independent / widest, 0, 18) +
  upright("spread-predicted", predicted / widest, 0, 18) +
  `</svg>`;

/** Why the prediction misses, in the numbers of the heads. @param {Head[]} heads */
export function why(heads) {
  const sizes = range(heads.flatMap(({ q_size, k_size }) => [q_size, k_size]));
  const off = range(heads.map(({ std, predicted }) => std / predicted));
  const dependent = range(heads.map(({ std, if_independent }) => std / if_independent));
  return (
    `In the trained model the assumptions fail: the sizes of the entries, their root mean squares, are ${sizes} ` +
    `instead of 1, and training has made queries and keys depend on each other. The measured spread is ${off} times ` +
    `the prediction, and ${dependent} times what independent entries of these sizes would give.`
  );
}

/** @param {number[]} values */
const range = (values) => `${fixed(Math.min(...values), 2)} to ${fixed(Math.max(...values), 2)}`;
