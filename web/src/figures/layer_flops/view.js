// Operations of one layer over the number of tokens, and how they divide at one number. Pure: answers in, HTML out.
import { level, percent, text, upright } from "../fluid.js";
import { logAxis, power, scientific, threeDigits, whole } from "../logs.js";

/** `flops_picture` in theory/presets.py.
 * @typedef {{T: number, d: number, d_ff: number, gated: boolean, d_kv: number, causal_half: boolean,
 *   preset: {name: string, context: number, source: string} | null, layer: Record<string, number>,
 *   shares: Record<string, number>, crossover: number,
 *   curve: {T: number[], linear: number[], quadratic: number[]}}} Picture */

const TOP = 14;
const HEIGHT = 270;
/** Decades of the axes; every width and length of the controls lies between them. */
const FLOPS = { from: 6, to: 17 };
const TOKENS = { from: 128, to: 2 ** 20 };
const NAMES = { linear: ["linear", "layers"], quadratic: ["scores", "and values"] };
/** Names at the lines' ends have two lines of text. */
const NAME_HEIGHT = 30;

const across = logAxis(TOKENS.from, TOKENS.to);
const up = logAxis(10 ** FLOPS.from, 10 ** FLOPS.to);
/** @param {number} flops */
const down = (flops) => Math.round((TOP + HEIGHT * (1 - up(flops))) * 10) / 10;

/** The parts of the figure for an answer. @param {Picture} answer @returns {Record<string, string>} */
export function parts(answer) {
  const { layer, preset, shares } = answer;
  const cells = Object.entries(shares).flatMap(([name, share]) => [
    [`${name}-flops`, scientific(layer[name])],
    [`${name}-share`, oneDecimal(share)],
  ]);
  return {
    chart: chart(answer),
    bar: bar(shares),
    "linear-share": oneDecimal(layer.linear_share),
    "quadratic-share": oneDecimal(layer.quadratic_share),
    of: sizes(answer),
    source: preset ? `Sizes from ${preset.source}.` : "Two matrices of width 4<i>d</i> in the feedforward, keys and values as wide as queries.",
    ...Object.fromEntries(cells),
    total: scientific(layer.total),
    sentence: sentence(answer),
  };
}

/** What the formulas take. @param {Picture} answer */
function sizes({ preset, T, d, d_kv, d_ff, gated }) {
  const names = [["<i>T</i>", T], ["<i>d</i>", d]];
  if (d_kv !== d) names.push(["<i>d</i><sub>kv</sub>", d_kv]);
  if (gated) names.push(["<i>f</i>", d_ff]);
  const values = names.map(([name, value]) => `<span>${name} = ${whole(Number(value))}</span>`);
  return `<b>${preset ? preset.name : "Layer of 2017"}</b> ${values.join(" ")}`;
}

/** Which formulas hold: one word per row of the table that has several.
 * @param {Picture} answer */
export const forms = ({ d, d_kv, gated, causal_half }) => ({
  qkv: d_kv === d ? "plain" : "grouped",
  feedforward: gated ? "gated" : "plain",
  scores: causal_half ? "half" : "plain",
  values: causal_half ? "half" : "plain",
});

/** @param {number} share   0 to 1 */
const oneDecimal = (share) => `${(100 * share).toFixed(1)}%`;

/** @param {Picture} answer */
function sentence({ T, crossover, layer, causal_half }) {
  const most = layer.quadratic > layer.linear ? "scores and values" : "linear layers";
  const share = Math.max(layer.quadratic_share, layer.linear_share);
  const now = layer.quadratic === layer.linear
    ? `At T = ${whole(T)}, both take half of the operations.`
    : `At T = ${whole(T)}, the ${most} take ${oneDecimal(share)} of the operations.`;
  return `${now} Beyond T = ${whole(crossover)}, scores and values take more than the linear layers` +
    `${causal_half ? ", if only the causal half of the pairs is computed" : ""}.`;
}

/** T = 6d = 24,576; a multiple of d that is not whole stands behind. @param {Picture} answer */
function crossoverName({ crossover, d }) {
  const multiple = crossover / d;
  if (Number.isInteger(multiple)) return `T = ${multiple}d = ${whole(crossover)}`;
  return `T = ${whole(crossover)}, ${threeDigits(multiple)} d`;
}

/** @param {Picture} answer */
function chart(answer) {
  const { T, curve, crossover, layer, d } = answer;
  const bottom = TOP + HEIGHT;
  const rows = [];
  for (let exponent = FLOPS.from; exponent <= FLOPS.to; exponent += 3) {
    const y = down(10 ** exponent);
    rows.push(level(exponent === FLOPS.from ? "axis" : "grid", y), tick("0%", y + 4, -8, "end", power(exponent)));
  }
  const columns = [3, 4, 5, 6].flatMap((exponent) => {
    const x = across(10 ** exponent);
    return [upright("grid", x, TOP, bottom), text("tick", x, bottom + 18, power(exponent))];
  });
  const cross = across(crossover);
  const crossing = down((layer.linear / T) * crossover);
  const now = across(T);
  const higher = Math.min(down(layer.linear), down(layer.quadratic));
  return `<svg class="fluid" width="100%" height="${bottom + 44}" role="img" aria-label="${summary(answer)}">
${rows.join("")}${columns.join("")}
${tick("0%", TOP - 4, 6, "start", "FLOPs, one layer, one sequence")}
${upright("now", now, higher, bottom)}
${slope("linear", curve)}${slope("quadratic", curve)}
${[layer.linear, layer.quadratic].map((flops, i) => `<circle class="${i ? "quadratic" : "linear"}" cx="${percent(now)}" cy="${down(flops)}" r="4"/>`).join("")}
<circle class="crossing" cx="${percent(cross)}" cy="${crossing}" r="7"/>
${crossingName(cross, crossing, crossoverName(answer))}
${tick(percent(now), bottom + 38, 0, anchorAt(now), `T = ${whole(T)} tokens`, "now")}
${names(curve)}</svg>`;
}

/** Above the lines on their left, or below them on their right where that has more room.
 * @param {number} x   0 to 1 @param {number} y @param {string} name */
const crossingName = (x, y, name) =>
  x > 0.5 ? tick(percent(x), y - 14, 0, "end", name, "crossing") : tick(percent(x), y + 24, 4, "start", name, "crossing");

/** @param {number} x   0 to 1 */
const anchorAt = (x) => (x > 0.9 ? "end" : x < 0.1 ? "start" : "middle");

/** A text moved aside by `dx` px. @param {string} x @param {number} y @param {number} dx @param {string} anchor
 * @param {string} words @param {string} [name] */
const tick = (x, y, dx, anchor, words, name = "tick") =>
  `<text class="${name}" x="${x}" y="${y}" dx="${dx}" text-anchor="${anchor}">${words}</text>`;

/** On log axes a power of T is a straight line. @param {"linear" | "quadratic"} name @param {Picture["curve"]} curve */
function slope(name, curve) {
  const [y1, y2] = curve[name].map(down);
  return `<line class="${name}" x1="0" x2="100%" y1="${y1}" y2="${y2}"/>`;
}

/** The names at the lines' ends, kept apart. @param {Picture["curve"]} curve */
function names(curve) {
  const quadratic = down(curve.quadratic[1]);
  const linear = Math.max(down(curve.linear[1]), quadratic + NAME_HEIGHT);
  return Object.entries({ linear, quadratic }).map(([name, y]) => {
    const [first, second] = NAMES[/** @type {"linear" | "quadratic"} */ (name)];
    return `<text class="name ${name}" y="${y - 2}"><tspan x="100%" dx="8">${first}</tspan>` +
      `<tspan x="100%" dx="8" dy="13">${second}</tspan></text>`;
  }).join("");
}

/** @param {Picture} answer */
function summary({ T, d, layer, crossover }) {
  return `Operations over the number of tokens, both on log axes, for d = ${whole(d)}. Linear layers grow with T, ` +
    `scores and values with its square; they cross at T = ${whole(crossover)}. At T = ${whole(T)}: ` +
    `${scientific(layer.linear)} and ${scientific(layer.quadratic)}.`;
}

/** Shares side by side, as wide as they are. @param {Record<string, number>} shares */
function bar(shares) {
  let from = 0;
  const pieces = Object.entries(shares).map(([name, share]) => {
    const piece = `<rect class="piece-${name}" x="${percent(from)}" width="${percent(share)}" height="22"/>`;
    from += share;
    return piece;
  });
  return `<svg class="fluid" width="100%" height="28" aria-hidden="true">${pieces.join("")}` +
    `<line class="half" x1="50%" x2="50%" y1="0" y2="27"/></svg>`;
}
