// What the controls can be set to, and what is recorded of it.
import { nearestBy } from "../logs.js";

/** Of the published models in theory/presets.py. */
export const PRESETS = ["gpt2", "gpt2-xl", "gpt3", "llama2-7b", "llama3-8b"];
/** Stops of the width: those of published models. */
export const WIDTHS = [256, 512, 768, 1024, 1280, 1600, 2048, 2560, 3072, 4096, 5120, 6144, 8192, 12288, 16384];
/** Stops of the number of tokens: powers of two, and halfway between them. */
export const LENGTHS = [...Array(27).keys()].map((k) => 128 * 2 ** Math.floor(k / 2) * (k % 2 ? 1.5 : 1));
export const WIDTH = 4096;
export const LENGTH = 4096;

/** @typedef {{T: number, d?: number, key?: string, causal_half: boolean}} Setting */

/** A preset is asked for by its key, the layer of 2017 by its width.
 * @param {number} T @param {string} key   "" for none @param {number} d @param {boolean} causal_half
 * @returns {import("../questions.js").Question} */
export const asks = (T, key, d, causal_half) => ({
  name: "flops_picture",
  args: key ? { T, key, causal_half } : { T, d, causal_half },
});

const POWERS = LENGTHS.filter((_, stop) => stop % 2 === 0);
const TRAINED_WITH = [1024, 2048, 4096, 8192];

export const recorded = [false, true].flatMap((half) => [
  ...POWERS.map((T) => asks(T, "", WIDTH, half)),
  ...WIDTHS.filter((d) => d !== WIDTH).map((d) => asks(LENGTH, "", d, half)),
  ...PRESETS.flatMap((key) => TRAINED_WITH.map((T) => asks(T, key, WIDTH, half))),
]);

/** @param {import("../questions.js").Question} question */
export function nearest({ args }) {
  const { T, d = 1, key, causal_half } = /** @type {Setting} */ (args);
  const kind = recorded.filter((one) => one.args.key === key && one.args.causal_half === causal_half);
  return nearestBy(kind, (one) => {
    const to = /** @type {Setting} */ (one.args);
    return Math.abs(Math.log(to.T / T)) + Math.abs(Math.log((to.d ?? 1) / d));
  });
}
