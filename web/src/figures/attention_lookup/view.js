// The lookup of one token: all four tokens with their vectors, two planes, and a table with one row per key and one
// column per stage. Pure: answers in, HTML out.
import { vector } from "../cells.js";
import { css, viridis } from "../../widgets/viridis.js";
import { fixed, short } from "../numbers.js";
import { keysPlane, valuesPlane } from "./planes.js";

/** `lookup` in theory/lookup.py.
 * @typedef {{tokens: string[], q: number[][], k: number[][], v: number[][], token: number, query: number[],
 *   scores: number[], divisor: number, scaled: (number | null)[], exponentials: number[], total: number,
 *   weights: number[], weighted: number[][], output: number[]}} Lookup */

/** The number at which a cell has its full colour. */
const FULL = 4;

/** The parts of the figure for an answer. @param {Lookup} answer @returns {Record<string, string>} */
export function parts(answer) {
  return {
    tokens: answer.tokens.map((_, i) => tokenRow(answer, i)).join(""),
    keys: keysPlane(answer),
    values: valuesPlane(answer),
    stages: answer.tokens.map((_, j) => keyRow(answer, j)).join(""),
    total: fixed(answer.total, 2),
    output: vector(answer.output, FULL, 2),
    words: words(answer),
  };
}

/** @param {Lookup} answer @param {number} i */
function tokenRow({ tokens, token, query, q, k, v }, i) {
  const asks = i === token;
  const cells = [asks ? query : q[i], k[i], v[i]].map((values) => `<td>${vector(values, FULL)}</td>`);
  return `<tr${asks ? ' class="asks"' : ""}><th scope="row">${tokens[i]}</th>${cells.join("")}</tr>`;
}

/** @param {Lookup} answer @param {number} j */
function keyRow({ tokens, query, k, scores, divisor, scaled, exponentials, weights, weighted }, j) {
  const terms = query.map((q, c) => `<span>${c ? `+ ${summand(q)}` : short(q)}·${short(k[j][c])}</span>`);
  return (
    `<tr><th scope="row">${tokens[j]}</th>` +
    `<td>${terms.join(" ")} <span>= <b>${short(scores[j])}</b></span></td>` +
    `<td class="stage-2">${short(scores[j])} <span>/ ${short(divisor)}</span> <span>= <b>${fixed(scaled[j], 2)}</b></span></td>` +
    `<td class="stage-3 exponential">${fixed(exponentials[j], 2)}</td>` +
    `<td class="stage-3">${bar(weights[j])}<b>${fixed(weights[j], 3)}</b></td>` +
    `<td class="stage-4">${vector(weighted[j], FULL, 2)}</td></tr>`
  );
}

/** After a plus sign, a negative number stands in brackets. @param {number} value */
const summand = (value) => (value < 0 ? `(${short(value)})` : short(value));

/** @param {number} weight   0 to 1 */
const bar = (weight) =>
  `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">` +
  `<rect width="${(100 * weight).toFixed(2)}" height="1" fill="${css(viridis(weight))}"/></svg>`;

/** What the query finds. @param {Lookup} answer */
function words({ tokens, token, weights }) {
  const most = Math.max(...weights);
  const best = tokens.filter((_, j) => most - weights[j] < 1e-9);
  const weight = fixed(most, 3);
  if (best.length === tokens.length) return `All keys score alike, and “${tokens[token]}” gives each a weight of ${weight}.`;
  if (best.length > 1) return `“${tokens[token]}” gives most weight to “${best.join("” and “")}”: ${weight} each.`;
  return `“${tokens[token]}” gives most weight to “${best[0]}”: ${weight}.`;
}
