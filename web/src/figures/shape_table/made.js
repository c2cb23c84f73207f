// How one cell was made: the terms of its sum, and what becomes of it.
import { fixed } from "../numbers.js";
import { reach, signedClass } from "./heat.js";
import { symbol } from "./symbols.js";

/** `Cell` and `Weight` in theory/cells.py.
 * @typedef {{tensor: string, index: number[], left_name: string, right_name: string, left: number[], right: number[],
 *   products: number[], total: number, factor: number, value: number | null}} Cell
 * @typedef {{index: number[], scores: (number | null)[], exponentials: number[], total: number, value: number}} Weight */

const DIGITS = 3;
/** @param {number | null} value */
const number = (value) => fixed(value, DIGITS);

/** @param {Cell | Weight} made @param {string} probe   the letters of the tokens @returns {string} */
export const explained = (made, probe) => ("products" in made ? sum(made, probe) : softmax(made, probe));

/** @param {Cell} cell @param {string} probe */
function sum({ tensor, index, left_name, right_name, left, right, products, total, factor, value }, probe) {
  const full = reach([products]);
  const labels = tensor === "O" ? [...probe] : left.map((_, i) => String(i));
  const terms = products.map((product, i) => ({
    label: labels[i],
    lines: [number(left[i]), number(right[i]), number(product)],
    name: signedClass(product, full),
  }));
  const [i, j] = index.slice(-2);
  const row = `row ${probe[i]} of ${symbol(left_name)}`;
  const other = tensor === "S" ? `row ${probe[j]} of ${symbol(right_name)}` : `column ${j} of ${symbol(right_name)}`;
  const scaled = factor === 1 ? "" : `; divided by √<i>d</i><sub>k</sub> = ${number(1 / factor)}: ${number(total * factor)}`;
  const masked = value === null ? "; the mask adds −∞" : "";
  return (
    `<p>${row} times ${other}, term by term:</p>` +
    list([symbol(left_name), `× ${symbol(right_name)}`, "="], terms) +
    `<p>Sum: <output class="total">${number(total)}</output>${scaled}${masked}.</p>`
  );
}

/** @param {Weight} weight @param {string} probe */
function softmax({ index, scores, exponentials, total, value }, probe) {
  const [query, key] = index.slice(-2);
  const terms = scores.map((score, j) => ({
    label: probe[j],
    lines: [number(score), number(exponentials[j])],
    name: j === key ? "chosen" : "",
  }));
  const e = "<i>e</i><sup><i>s</i> − max</sup>";
  return (
    `<p>Softmax of row ${probe[query]} of ${symbol("S_h")}:</p>` +
    list(["score <i>s</i>", e], terms) +
    `<p>Sum: <output class="total">${number(total)}</output>; ` +
    `${number(exponentials[key])} / ${number(total)} = ${number(value)}.</p>`
  );
}

/** @param {string[]} heads @param {{label: string, lines: string[], name: string}[]} terms */
function list(heads, terms) {
  const lines = (/** @type {string[]} */ texts) => texts.map((text) => `<span>${text}</span>`).join("");
  const items = terms.map(({ label, lines: texts, name }) =>
    `<li${name && ` class="${name}"`}><b>${label}</b>${lines(texts)}</li>`);
  return `<ol class="terms"><li class="heads"><b></b>${lines(heads)}</li>${items.join("")}</ol>`;
}
