// What the figure asks, and which of it is recorded.

/** @typedef {import("../questions.js").Question} Question */

export const MASKS = ["causal", "bidirectional"];
export const PROBE = "FACE";
/** Scores reach from -LARGEST to LARGEST. */
export const LARGEST = 9;

const EXAMPLE = [[1, 3, 2, 0], [2, 1, 3, 1], [0, 2, 1, 3], [1, 0, 2, 1]];

/** Scores to begin with, by name. @type {Record<string, number[][]>} */
export const PRESETS = {
  "Example": EXAMPLE,
  "All 0": EXAMPLE.map((row) => row.map(() => 0)),
  "Future 9": EXAMPLE.map((row, i) => row.map((score, j) => (j > i ? LARGEST : score))),
};

/** @param {number[][]} scores @param {string} mask @returns {Question} */
export const asksWeights = (scores, mask) => ({ name: "masked_softmax", args: { scores, mask } });

/** Every preset under either mask. */
const WEIGHTS = MASKS.flatMap((mask) => Object.values(PRESETS).map((scores) => asksWeights(scores, mask)));

/** A question for each position of the probe. @param {string} mask @returns {Question[]} */
export const asksChanges = (mask) =>
  [...PROBE].map((_, position) => ({ name: "change_token", args: { probe: PROBE, position, mask } }));

export const RECORDED = [...WEIGHTS, ...MASKS.flatMap(asksChanges)];

/** The recorded one that is nearest. @param {Question} question */
export const nearestRecorded = ({ args }) => asksWeights(EXAMPLE, String(args.mask));
