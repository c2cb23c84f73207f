// The lookup of one token, drawn as a table: one row per key, one column per stage. Pure: answers in, HTML out.
import { fixed } from "../numbers.js";

/** `lookup` in theory/lookup.py.
 * @typedef {{tokens: string[], token: number, query: number[], scores: number[], scaled: (number | null)[],
 *   weights: number[], weighted: number[][], output: number[]}} Lookup */

/** @param {number[]} values @param {number} digits */
const vector = (values, digits) => `(${values.map((value) => fixed(value, digits)).join(", ")})`;

/** The parts of the figure for an answer. @param {Lookup} answer @returns {Record<string, string>} */
export function parts({ tokens, token, query, scores, scaled, weights, weighted, output }) {
  const rows = tokens.map((name, key) => {
    const cells = [fixed(scores[key], 0), fixed(scaled[key], 2), fixed(weights[key], 3), vector(weighted[key], 2)];
    return `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  return {
    query: `${tokens[token]} asks with q = ${vector(query, 0)}`,
    stages: rows.join(""),
    output: vector(output, 3),
  };
}
