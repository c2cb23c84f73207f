// What the package's ModelConfig and TrainConfig have for defaults, where the page needs them without Python. A test
// compares them with the package.

/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {import("../engine/protocol.js").Settings} Settings */

/** @satisfies {Record<"model" | "train", Settings>} */
export const PACKAGE = {
  model: {
    vocab_size: 8, seq_len: 4, d_model: 32, n_heads: 2, n_layers: 2, d_ff: 64, norm: "pre", scale_scores: true,
    positions: true, rms_eps: 1e-5,
  },
  train: {
    task: "reverse", mask: "bidirectional", seed: 0, epochs: 40, batch_size: 64, learning_rate: 1e-3, beta1: 0.9,
    beta2: 0.99, adam_eps: 1e-8, weight_decay: 0, train_sequences: 512, held_out_sequences: 3584,
  },
};

/** Epochs of a run, unless a file says otherwise. */
export const EPOCHS = PACKAGE.train.epochs;

/** The settings of `given` that differ from the package's defaults. @param {"model" | "train"} kind @param {Settings} given */
export function unusual(kind, given) {
  /** @type {Settings} */
  const usual = PACKAGE[kind];
  return Object.entries(given).filter(([name, value]) => value !== usual[name]);
}
