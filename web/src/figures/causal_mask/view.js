// The mask and the weights as matrices, a row per query and a column per key. Pure: answers in, HTML out.
import { forbidden, probability } from "../cells.js";
import { fixed, short } from "../numbers.js";

/** `masked_softmax` in theory/masking.py; null is −∞.
 * @typedef {{mask: (number | null)[][], scores: (number | null)[][], weights: number[][], sums: number[]}} Masked */

/** The rows of a matrix. @template V @param {V[][]} values @param {(value: V, i: number, j: number) => string} draw
 * @param {(i: number) => string} [more]   cells after the row */
export const rows = (values, draw, more = () => "") =>
  values
    .map((row, i) => `<tr><th scope="row">${i}</th>${row.map((v, j) => `<td>${draw(v, i, j)}</td>`).join("")}${more(i)}</tr>`)
    .join("");

/** @param {number | null} value */
const number = (value) => (value === null ? forbidden("−∞") : `<span class="tint"><span>${short(value)}</span></span>`);

/** The parts of the figure for an answer. @param {Masked} answer @returns {Record<string, string>} */
export function parts({ mask, scores, weights, sums }) {
  return {
    mask: rows(mask, number),
    masked: rows(scores, number),
    weights: rows(
      weights,
      (weight, i, j) => (mask[i][j] === null && weight === 0 ? forbidden("0") : probability(weight, 3)),
      (i) => `<td class="sum">${fixed(sums[i], 3)}</td>`,
    ),
    words: words(weights),
  };
}

/** @param {number[][]} weights */
function words(weights) {
  const all = weights.flat();
  const zeros = all.filter((weight) => weight === 0).length;
  if (!zeros) return `The mask adds 0 everywhere: each of the ${all.length} weights is above 0.`;
  return `${zeros} of ${all.length} weights are exactly 0; each row shares its 1 among the rest.`;
}
