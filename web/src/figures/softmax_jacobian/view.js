// Scores, their softmax P, its Jacobian, and the Jacobian's norm over the scale. Pure: answers in, HTML out.
import { level, line, percent, stretched, text, upright } from "../fluid.js";
import { fixed } from "../numbers.js";

/** `jacobian_picture` in theory/jacobian.py.
 * @typedef {{scale: number, probabilities: number[], jacobian: number[][], frobenius: number, spectral: number}} Jacobian
 * @typedef {{scales: number[], frobenius: number[], spectral: number[], max_probability: number[]}} Norms
 * @typedef {{at: Jacobian, curve: Norms}} Picture */

/** Scores go from -REACH to REACH. */
export const REACH = 4;
/** The largest entry that a Jacobian of softmax can have. */
const LARGEST = 0.25;
const DECADES = 15;
const CURVE = { top: 6, height: 150, axis: 20 };

/** The parts of the figure for an answer. @param {Picture} answer @returns {Record<string, string>} */
export function parts({ at, curve }) {
  /** @type {Record<string, string>} */
  const found = {
    jacobian: at.jacobian.map(row).join(""),
    frobenius: small(at.frobenius),
    spectral: small(at.spectral),
    curve: curveOf(curve, at),
    line: lineOf(at),
  };
  at.probabilities.forEach((p, j) => (found[`p-${j}`] = probability(p)));
  return found;
}

/** The bar of a score, from 0 to its value, and the number. @param {number} value */
export function scoreBar(value) {
  const x = (value + REACH) / (2 * REACH);
  return (
    `<svg class="fluid" width="100%" height="24">${level("grid", 12)}` +
    `<rect class="score-bar" x="${percent(Math.min(x, 0.5))}" width="${percent(Math.abs(x - 0.5))}" y="6" height="12"/>` +
    `${upright("axis", 0.5, 0, 24)}</svg>`
  );
}

/** @param {number} p */
const probability = (p) =>
  `<svg class="fluid" width="100%" height="24" aria-hidden="true">${level("grid", 12)}` +
  `<rect class="probability" width="${percent(p)}" y="4" height="16"/>${upright("axis", 0, 0, 24)}</svg>` +
  `<span class="value">${fixed(p, 3)}</span>`;

/** A row of the Jacobian. @param {number[]} entries @param {number} j */
function row(entries, j) {
  const cells = entries.map((entry) => `<td>${tint(entry)}<span>${fixed(entry, 3)}</span></td>`);
  return `<tr><th scope="row">${j + 1}</th>${cells.join("")}</tr>`;
}

/** Blue above 0, rust below, the stronger the larger. @param {number} entry */
export function tint(entry) {
  const strength = Math.min(1, Math.abs(entry) / LARGEST).toFixed(3);
  const sign = entry < 0 ? "negative" : "positive";
  const rect = `<rect class="${sign}" width="100%" height="100%" fill-opacity="${strength}"/>`;
  return `<svg class="tint" aria-hidden="true">${rect}</svg>`;
}

/** The norm over the scale, both logarithmic; the current scale marked. @param {Norms} curve @param {Jacobian} at */
function curveOf({ scales, frobenius }, at) {
  const [first, last] = [Math.log2(scales[0]), Math.log2(scales[scales.length - 1])];
  const x = (/** @type {number} */ scale) => (Math.log2(scale) - first) / (last - first);
  const y = (/** @type {number} */ norm) => -Math.log10(Math.max(norm, 1e-300)) / DECADES; // 0: the top, 1: the foot
  const px = (/** @type {number} */ norm) => CURVE.top + CURVE.height * y(norm);
  const foot = px(10 ** -DECADES);
  const points = frobenius.map((norm, i) => [100 * x(scales[i]), 100 * y(norm)]); // beyond the foot they are cut off
  const ticks = scales.filter((scale) => Number.isInteger(Math.log2(scale)));
  const below = at.frobenius < 10 ** -DECADES;
  const label = `Frobenius norm of the Jacobian over the scale: ${small(at.frobenius)} at scale ${plainScale(at.scale)}.`;
  return (
    `<svg class="fluid" width="100%" height="${foot + CURVE.axis}" role="img" aria-label="${label}">` +
    [0, 5, 10, DECADES].map((decade) => level(decade === DECADES ? "axis" : "grid", px(10 ** -decade))).join("") +
    stretched(CURVE.top, CURVE.height, `<path class="curve-line" d="${line(points)}"/>`) +
    upright("now", x(at.scale), CURVE.top, foot) +
    (below ? "" : `<circle class="now-dot" cx="${percent(x(at.scale))}" cy="${px(at.frobenius).toFixed(2)}" r="4.5"/>`) +
    [0, 5, 10, DECADES].map((decade) => mark(power(-decade), px(10 ** -decade) + 4)).join("") +
    ticks.map((scale) => text("tick", x(scale), foot + 16, plainScale(scale), end(x(scale)))).join("") +
    `</svg>`
  );
}

/** A number beside the axis. @param {string} words @param {number} y   px */
const mark = (words, y) => `<text class="tick" x="-8" y="${y}" text-anchor="end">${words}</text>`;

/** @param {number} x */
const end = (x) => (x === 0 ? "start" : x === 1 ? "end" : "middle");

/** What is seen at this scale. @param {Jacobian} at */
function lineOf({ scale, probabilities, frobenius }) {
  const largest = Math.max(...probabilities);
  const others = [...probabilities].sort((a, b) => a - b).slice(0, -1).reduce((sum, p) => sum + p, 0);
  return (
    `At scale ${plainScale(scale)}, the largest P is ${fixed(largest, 3)} and the others sum to ${small(others)}. ` +
    `No entry of J is larger in size than that sum; the Frobenius norm of J is ${small(frobenius)}.`
  );
}

/** @param {number} scale */
export const plainScale = (scale) => ({ 0.25: "¼", 0.5: "½" })[scale] ?? String(scale);

/** Three significant digits; with a power of ten below a thousandth. @param {number} value */
export function small(value) {
  if (value === 0) return "0";
  if (value >= 0.001) return value.toPrecision(3);
  const [digits, exponent] = value.toExponential(1).split("e");
  return `${digits} × ${power(Number(exponent))}`;
}

/** @param {number} exponent */
function power(exponent) {
  if (exponent === 0) return "1";
  return `10${[...String(exponent)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("")}`;
}
