// Two planes: keys with the query that meets them, and values with the sum that their weights make of them.
import { above, arrow, label, line, named, picture, plane } from "./plane.js";

/** @typedef {import("./view.js").Lookup} Lookup */

export const KEYS = plane(-3.8, 3.8);
const VALUES = plane(-1, 4.6);

/** Keys and query. Where the query has a direction, each key's foot on it shows how far the key points that way.
 * @param {Lookup} answer */
export function keysPlane({ tokens, token, query, k }) {
  const { to, grid, low, high } = KEYS;
  const squared = query[0] ** 2 + query[1] ** 2;
  const reach = squared && (2 * high) / Math.sqrt(squared);
  const feet = k.map((key) => query.map((q) => (q * (key[0] * query[0] + key[1] * query[1])) / squared));
  const [[x, y], [left, top], [right, bottom]] = [to(query), to([low, high]), to([high, low])];
  return picture(`Keys as arrows, and the query of ${tokens[token]}`, [
    grid,
    label([right - 6, bottom - 8], "noun →", "direction", "end"),
    label([left + 6, top + 16], "↑ verb", "direction", "start"),
    ...(squared ? k.map((key, j) => line(key, feet[j], "foot", to)) : []),
    line(query.map((q) => -reach * q), query.map((q) => reach * q), "along", to),
    ...k.map((key) => arrow([0, 0], key, "key", to)),
    ...k.map((key, j) => named(key, tokens[j], to)),
    arrow([0, 0], query, "query", to),
    above(query, "q", to),
    `<g class="handle"><circle class="reach" cx="${x}" cy="${y}" r="19"/><circle class="ring" cx="${x}" cy="${y}" r="7"/></g>`,
  ]);
}

/** Values, and their weighted sum: one weighted value after the other, tip to tail. @param {Lookup} answer */
export function valuesPlane({ tokens, v, weighted, output }) {
  const { to, grid } = VALUES;
  const joints = [[0, 0]];
  for (const [j, [x, y]] of weighted.entries()) joints.push([joints[j][0] + x, joints[j][1] + y]);
  return picture("Values as arrows, and their weighted sum", [
    grid,
    ...v.map((value) => arrow([0, 0], value, "key", to)),
    ...v.map((value, j) => named(value, tokens[j], to)),
    `<g class="stage-4">`,
    arrow([0, 0], output, "query", to),
    ...weighted.map((part, j) => (part.some(Boolean) ? arrow(joints[j], joints[j + 1], "part", to) : "")),
    above(output, "sum", to),
    `</g>`,
  ]);
}
