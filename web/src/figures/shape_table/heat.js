// One tensor as a table of coloured cells with its numbers in them; where cells are too narrow, the numbers are there
// for a screen reader and for copying only. Colours are classes, of styles/figures/heat.css.
import { fixed } from "../numbers.js";

/** @typedef {(number | null)[][]} Matrix */

/**
 * @typedef {object} Heat
 * @property {string} label    accessible name
 * @property {Matrix} values
 * @property {string[]} rows
 * @property {string[]} columns
 * @property {boolean[][] | null} allowed   null: every cell is; a cell that is not is hatched
 * @property {boolean} shares   from 0 to 1, in viridis; otherwise signed
 * @property {number} block     columns that belong together, such as a head's; a line divides the blocks
 */

/** Steps of a colour scale, from 0 to its end. */
const SIGNED = 10;
const SHARES = 20;

/** The largest size among the values, where a signed colour is fullest. @param {Matrix} values */
export const reach = (values) => Math.max(...values.flat().map((value) => Math.abs(value ?? 0))) || 1;

/** @param {number} value @param {number} full */
export function signedClass(value, full) {
  const step = Math.round(SIGNED * Math.min(1, Math.abs(value) / full));
  return step ? `${value < 0 ? "neg" : "pos"} s${step}` : "";
}

/** @param {number} value */
const shareClass = (value) => `v v${Math.round(SHARES * Math.min(1, Math.max(0, value)))}`;

/** How much room a cell has. @param {number} columns */
const size = (columns) => (columns <= 4 ? "few" : columns <= 8 ? "some" : columns <= 16 ? "many" : "crowd");

/** @param {Heat} map @param {[number, number] | null} [pointed]   row and column of a cell to be marked */
export function heat({ label, values, rows, columns, allowed, shares, block }, pointed = null) {
  const full = reach(values);
  const cells = values.map((row, i) => row.map((value, j) => {
    const names = [];
    if (allowed && !allowed[i][j]) names.push("masked");
    else if (value !== null) names.push(shares ? shareClass(value) : signedClass(value, full));
    if (block && j && j % block === 0) names.push("divided");
    if (pointed && pointed[0] === i && pointed[1] === j) names.push("pointed");
    const name = names.filter(Boolean).join(" ");
    const text = allowed && !allowed[i][j] && shares ? "0" : fixed(value, 2);
    return `<td${name && ` class="${name}"`}>${text}</td>`;
  }).join(""));
  const tall = rows.length > 8;
  const head = (/** @type {string} */ text, /** @type {boolean} */ tick, scope = "col") =>
    `<th scope="${scope}"${tick ? ' class="tick"' : ""}><span>${text}</span></th>`;
  const body = cells.map((row, i) => `<tr>${head(rows[i], !tall || i % 8 === 0, "row")}${row}</tr>`);
  return (
    `<table class="heat ${size(columns.length)}${tall ? " tall" : ""}"><caption class="visually-hidden">${label}</caption>` +
    `<thead><tr><td></td>${columns.map((text, i) => head(text, i % 8 === 0)).join("")}</tr></thead>` +
    `<tbody>${body.join("")}</tbody></table>`
  );
}

/** What the colours stand for. @param {boolean} shares @param {number} full */
export function scale(shares, full) {
  const steps = shares
    ? Array.from({ length: 11 }, (_, i) => `v v${2 * i}`)
    : Array.from({ length: 11 }, (_, i) => signedClass(i - 5, 5));
  const [from, to] = shares ? ["0", "1"] : [fixed(-full, 2), fixed(full, 2)];
  return `<span class="heat-scale">${from} ${steps.map((name) => `<i class="${name}"></i>`).join("")} ${to}</span>`;
}
