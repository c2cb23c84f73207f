// The size of the gradient in front of every layer, for each place of the norm. Pure: answers in, HTML out.
import { level, line, percent, stretched, text } from "../fluid.js";
import { logAxis, power, threeDigits } from "../logs.js";

/** `gradient_picture` in theory/depth.py.
 * @typedef {{stream: (number | null)[], growth: number | null, factor: number | null, first_half: number | null,
 *   last_half: number | null, overflow: number | null}} Course
 * @typedef {{n_layers: number, d_model: number, scale_residual: boolean, pre: Course, post: Course, none: Course}} Picture
 */

/** @typedef {"pre" | "post" | "none"} Norm */
/** @type {Record<Norm, string>} */
const NAMES = { post: "post-norm", pre: "pre-norm", none: "no norm" };
const NORMS = /** @type {Norm[]} */ (Object.keys(NAMES));

const TOP = 22;
const HEIGHT = 260;
/** Decades of the axis. What the norms make of it stays inside at every depth and width; a line without a norm may not. */
const SIZES = { from: -4, to: 3 };
/** Names at the lines' ends are at least that far apart. */
const APART = 16;

const up = logAxis(10 ** SIZES.from, 10 ** SIZES.to);
/** @param {number} size */
const down = (size) => TOP + HEIGHT * (1 - up(size));

/** The parts of the figure for an answer. @param {Picture} answer @returns {Record<string, string>} */
export function parts(answer) {
  const L = answer.n_layers;
  const half = Math.floor(L / 2);
  return {
    chart: chart(answer),
    "first-half": half ? layers(1, half) : "–",
    "last-half": layers(half + 1, L),
    rows: NORMS.map((norm) => row(norm, answer)).join(""),
    sentence: sentence(answer),
  };
}

/** @param {number} from @param {number} to */
const layers = (from, to) => (from === to ? `layer ${to}` : `layers ${from}–${to}`);

/** @param {number | null} factor */
const times = (factor) => (factor == null ? "–" : `×${threeDigits(factor)}`);

/** @param {Norm} norm @param {Picture} answer */
function row(norm, answer) {
  const { growth, factor, first_half: first, last_half: last } = answer[norm];
  const cells = growth == null
    ? `<td class="words" colspan="4">${overflow(answer)}</td>`
    : [growth, factor, first, last].map((value) => `<td>${times(value)}</td>`).join("");
  return `<tr><th scope="row"><span class="swatch ${norm}"></span>${NAMES[norm]}</th>${cells}</tr>`;
}

/** Why there is no gradient without a norm. @param {Picture} answer */
const overflow = ({ none, n_layers }) =>
  none.overflow == null ? "the gradient overflows" : `the stream overflows in layer ${none.overflow} of ${n_layers}`;

/** @param {Picture} answer */
function sentence(answer) {
  const { pre, post, none, n_layers } = answer;
  /** @param {Course} course */
  const by = ({ growth, factor }) => `by ${threeDigits(growth ?? NaN)} (${times(factor)} per layer)`;
  return `From the output of layer ${n_layers} back to the input of layer 1, the gradient is multiplied ` +
    `${by(post)} in the post-norm model and ${by(pre)} in the pre-norm model; without a norm ` +
    `${none.growth == null ? overflow(answer) : by(none)}.`;
}

/** @param {Picture} answer */
function chart(answer) {
  const L = answer.n_layers;
  const bottom = TOP + HEIGHT;
  const grid = [];
  for (let exponent = SIZES.from; exponent <= SIZES.to; exponent++) {
    const y = down(10 ** exponent);
    grid.push(level(exponent === SIZES.from ? "axis" : "grid", y));
    grid.push(`<text class="tick" x="100%" y="${y + 4}" dx="8">${power(exponent)}</text>`);
  }
  const columns = layerTicks(L).map((layer) => text("tick", (layer - 1) / L, bottom + 18, String(layer)));
  return `<svg class="fluid" width="100%" height="${bottom + 42}" role="img" aria-label="${summary(answer)}">
<text class="tick" x="0" y="${TOP - 10}" dx="-78">gradient at the input of each layer</text>
${grid.join("")}${columns.join("")}
${text("tick", 1, bottom + 18, "output", "end")}
${text("tick", 0, bottom + 38, "layer")}
${text("tick", 1, bottom + 38, "← the gradient travels", "end")}
${stretched(TOP, HEIGHT, NORMS.map((norm) => course(norm, answer[norm].stream)).join(""))}
${names(answer)}${off(answer)}</svg>`;
}

/** Layers that are named on the axis: the first, and round numbers that leave room to the end. @param {number} L */
function layerTicks(L) {
  const step = [1, 2, 4, 8, 16].find((size) => L / size <= 5) ?? 16;
  const named = [1];
  for (let layer = step; layer <= L * 0.72; layer += step) if (layer > 1 && layer - 1 > L * 0.06) named.push(layer);
  return named;
}

/** A line over the layers, in a drawing of 100 by 100 that cuts off what is outside.
 * @param {Norm} norm @param {(number | null)[]} stream */
function course(norm, stream) {
  const L = stream.length - 1;
  const points = stream.flatMap((size, i) => (size ? [[(100 * i) / L, 100 * (1 - up(size))]] : []));
  return points.length > 1 ? `<path class="${norm}" d="${line(points)}"/>` : "";
}

/** The names, beside the lines' ends at the input of layer 1. @param {Picture} answer */
function names(answer) {
  const ends = NORMS.flatMap((norm) => {
    const size = answer[norm].stream[0];
    return size && up(size) <= 1 ? [{ norm, at: down(size) }] : [];
  }).sort((a, b) => a.at - b.at);
  const places = apart(ends.map(({ at }) => at));
  return ends.map(({ norm, at }, i) =>
    `<text class="name ${norm}" x="0" y="${(places[i] + 4).toFixed(1)}" dx="-14" text-anchor="end">${NAMES[norm]}</text>` +
    `<circle class="${norm}" cx="0" cy="${at.toFixed(1)}" r="3"/>`).join("");
}

/** Places as near to those given, in order, as names can stand: those that are too near to each other share what they
 * are moved. @param {number[]} places   px */
function apart(places) {
  const moved = [...places];
  for (let first = 0, last = 0; first < places.length; first = last + 1) {
    last = first;
    while (last + 1 < places.length && places[last + 1] < moved[last] + APART) moved[++last] = moved[last - 1] + APART;
    const back = (moved[last] - places[last]) / 2;
    for (let i = first; i <= last; i++) moved[i] -= back;
  }
  return moved;
}

/** A line that leaves the chart, and one that is missing, in words. @param {Picture} answer */
function off(answer) {
  const size = answer.none.stream[0];
  if (size && up(size) <= 1) return "";
  const { overflow: layer } = answer.none;
  const words = size ? `up to ${threeDigits(size)}` : layer ? `overflows in layer ${layer}` : "overflows";
  return `<text class="none name inside" x="0" y="${TOP + 16}" dx="-78">${NAMES.none}: ${words}</text>`;
}

/** @param {Picture} answer */
function summary(answer) {
  const sizes = NORMS.map((norm) => {
    const [first] = answer[norm].stream;
    const last = answer[norm].stream[answer.n_layers];
    return `${NAMES[norm]}: ${first && last ? `${threeDigits(first)}, and ${threeDigits(last)} at the output` : overflow(answer)}`;
  });
  return `Size of the gradient by layer, on a log axis. At the input of layer 1, ${sizes.join("; ")}.`;
}
