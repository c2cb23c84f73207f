// Settings that a run may have from a file, and for which the page has no control.
import { PACKAGE, unusual } from "../runs/package.js";
import { PROPERTIES, RUN_NAMES } from "../state.js";

/** @typedef {import("../state.js").Configs} Configs */

/** Models that the page can show: its letters and positions, and as many maps as it has room for.
 * @type {import("../engine/protocol.js").Shown} */
export const SHOWN = {
  vocab_size: [PACKAGE.model.vocab_size, PACKAGE.model.vocab_size],
  seq_len: [PROPERTIES.probe.length, PROPERTIES.probe.length],
  n_layers: [1, 4],
  n_heads: [1, 4],
};

/** Names and values. @param {Configs} facts */
export function beyondControls({ model, train }) {
  const known = new Set(/** @type {string[]} */ (RUN_NAMES));
  return [
    ...unusual("model", { ...model, d_ff: model.d_ff - 2 * model.d_model + PACKAGE.model.d_ff })
      .map(([name, value]) => /** @type {const} */ ([name, name === "d_ff" ? model.d_ff : value])),
    ...unusual("train", train),
  ].filter(([name]) => !known.has(name));
}

/** "beta1 = 0.8" for each. @param {Configs} facts */
export const beyondInWords = (facts) => beyondControls(facts).map(([name, value]) => `${name} = ${value}`);

/** What the reader has to know of them, or "". @param {Configs} facts */
export function beyondNote(facts) {
  const named = beyondInWords(facts).join(", ");
  if (!named) return "";
  return `It comes from a file with settings for which there is no control here: ${named}. Train keeps them; another setting leaves them.`;
}
