// What distinguishes one run from another, in the fewest words.

/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */

/** How a run is called after each of its settings. @type {((facts: RunFacts) => string)[]} */
const NAMES = [
  ({ train }) => train.task,
  ({ train }) => `${train.mask} mask`,
  ({ model }) => `${model.n_layers} ${model.n_layers === 1 ? "layer" : "layers"}`,
  ({ model }) => `${model.n_heads} ${model.n_heads === 1 ? "head" : "heads"}`,
  ({ model }) => `d = ${model.d_model}`,
  ({ model }) => (model.norm === "none" ? "no norm" : `${model.norm}-norm`),
  ({ model }) => `scaling ${model.scale_scores ? "on" : "off"}`,
  ({ model }) => `positions ${model.positions ? "on" : "off"}`,
  ({ train }) => `learning rate ${train.learning_rate}`,
  ({ train }) => `batches of ${train.batch_size}`,
  ({ train }) => `seed ${train.seed}`,
];

/** What `facts` has otherwise than `other`: "scaling off, 1 head". @param {RunFacts} facts @param {RunFacts} other */
export function differences(facts, other) {
  const names = NAMES.filter((name) => name(facts) !== name(other)).map((name) => name(facts));
  return names.join(", ") || "the same settings";
}
