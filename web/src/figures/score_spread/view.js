// The spread of q·k: two histograms above one axis, and what softmax makes of the scores. Pure: answers in, HTML out.
import { level, line, percent, stretched, text, upright } from "../fluid.js";
import { fixed } from "../numbers.js";

/** `score_spread` in theory/scores.py.
 * @typedef {{std: number, max_probability: number, entropy: number, ranked: number[], density: number[],
 *   outside: number}} Softened
 * @typedef {{d_k: number, tokens: number, scores: number, uniform_entropy: number, predicted: number, edges: number[],
 *   unscaled: Softened, scaled: Softened}} Spread */

const HEIGHT = 96;
/** Room above the histograms for a word on what is outside. */
const TOP = 16;
const AXIS = 20;
const TICK = 20;

/** The parts of the figure for an answer.
 * @param {Spread} answer @param {number} seed @returns {Record<string, string>} */
export function parts(answer, seed) {
  const { d_k, tokens, scores, uniform_entropy, predicted, unscaled, scaled } = answer;
  const heading = `softmax over ${tokens} keys`;
  return {
    "unscaled-std": fixed(unscaled.std, 2),
    "unscaled-predicted": `√${d_k} = ${fixed(predicted, 2)}`,
    "scaled-std": fixed(scaled.std, 3),
    "unscaled-histogram": histogram("Histogram of q · k", answer.edges, unscaled, predicted),
    "scaled-histogram": histogram("Histogram of q · k divided by the root of d_k", answer.edges, scaled, 1),
    "unscaled-softmax": softmaxOf(unscaled, uniform_entropy),
    "scaled-softmax": softmaxOf(scaled, uniform_entropy),
    "unscaled-heading": heading,
    "scaled-heading": heading,
    drawn: `${count(scores)} scores are drawn, ${count(scores / tokens)} rows of ${tokens} keys, with seed ${seed}.`,
  };
}

/** @param {number} value */
const count = (value) => value.toLocaleString("en");

/** Bars of one histogram, as high as the tallest allows; measured and predicted standard deviation as marks.
 * @param {string} name @param {number[]} edges @param {Softened} softened @param {number} predicted */
function histogram(name, edges, { density, std, outside }, predicted) {
  const reach = edges[edges.length - 1];
  const x = (/** @type {number} */ score) => (score + reach) / (2 * reach);
  const [middle, foot] = [TOP + HEIGHT / 2, TOP + HEIGHT];
  const bins = merged(density, std);
  const [tallest, width] = [Math.max(...bins), 100 / bins.length];
  const outline = bins.flatMap((share, bin) => {
    const y = 100 - (100 * share) / tallest;
    return [[width * bin, y], [width * (bin + 1), y]];
  });
  const ticks = [];
  for (let score = -reach; score <= reach; score += TICK) ticks.push(score);
  const marks = [-1, 1].map((side) => upright("spread-measured", x(side * std), middle - 7, middle + 7));
  const label = `${name}: measured standard deviation ${fixed(std, 2)}, predicted ${fixed(predicted, 2)}.`;
  return (
    `<svg class="fluid" width="100%" height="${foot + AXIS}" role="img" aria-label="${label}">` +
    ticks.map((score) => upright("grid", x(score), TOP, foot)).join("") +
    stretched(TOP, HEIGHT, `<path class="bins" d="${line([[0, 100], ...outline, [100, 100]])}Z"/>`) +
    level("axis", foot) +
    level("spread-measured", middle, x(-std), x(std)) +
    marks.join("") +
    [-1, 1].map((side) => upright("spread-predicted", x(side * predicted), TOP, foot + 5)).join("") +
    ticks.map((score) => text("tick", x(score), foot + 16, fixed(score, 0), anchor(score, reach))).join("") +
    (outside ? text("tick", 1, 11, `${share(outside)} beyond ±${reach}`, "end") : "") +
    `</svg>`
  );
}

/** Wide histograms get wide bins, 1, 2 or 4 of the answer's: their shape shows, not the luck of single bins.
 * @param {number[]} density @param {number} std */
function merged(density, std) {
  const together = std > 16 ? 4 : std > 8 ? 2 : 1;
  const starts = density.map((_, bin) => bin).filter((bin) => bin % together === 0);
  return starts.map((bin) => density.slice(bin, bin + together).reduce((sum, share) => sum + share, 0) / together);
}

/** @param {number} score @param {number} reach */
const anchor = (score, reach) => (score === -reach ? "start" : score === reach ? "end" : "middle");

/** @param {number} part */
const share = (part) => (part < 0.0001 ? "&lt; 0.01%" : `${(100 * part).toFixed(part < 0.1 ? 2 : 1)}%`);

/** The mean row of P, sorted, and its two numbers. @param {Softened} softened @param {number} uniform */
function softmaxOf({ ranked, max_probability, entropy }, uniform) {
  const width = 1 / ranked.length;
  const bars = ranked.map((p, rank) => {
    const high = HEIGHT * p;
    return `<rect class="probability" x="${percent(width * (rank + 0.12))}" width="${percent(width * 0.76)}"` +
      ` y="${(TOP + HEIGHT - high).toFixed(2)}" height="${high.toFixed(2)}"/>`;
  });
  return (
    `<svg class="fluid" width="100%" height="${TOP + HEIGHT + 1}" aria-hidden="true">` +
    level("grid", TOP) + level("grid", TOP + HEIGHT / 2) + bars.join("") + level("axis", TOP + HEIGHT) +
    text("tick", 1, TOP + 12, "1", "end") + text("tick", 1, TOP + HEIGHT / 2 + 12, "½", "end") +
    `</svg>` +
    `<dl><dt>largest P</dt><dd>${fixed(max_probability, 3)}</dd>` +
    `<dt>entropy</dt><dd>${fixed(entropy, 3)} <span class="of">of ${fixed(uniform, 3)}</span></dd></dl>`
  );
}
