// What distinguishes one run from another, in the fewest words.
import { DEFAULTS, RUN_NAMES, settingsOf } from "../state.js";
import { beyondControls, beyondInWords } from "./beyond.js";

/** @typedef {import("../state.js").Configs} Configs */
/** @typedef {import("../engine/protocol.js").Settings} Settings */
/** @typedef {import("../state.js").RunSettings} RunSettings */

/** How a run is called after each of its settings. @type {Record<keyof RunSettings, (settings: RunSettings) => string>} */
const settingNames = {
  task: ({ task }) => task,
  mask: ({ mask }) => `${mask} mask`,
  n_layers: ({ n_layers }) => `${n_layers} ${n_layers === 1 ? "layer" : "layers"}`,
  n_heads: ({ n_heads }) => `${n_heads} ${n_heads === 1 ? "head" : "heads"}`,
  d_model: ({ d_model }) => `d = ${d_model}`,
  norm: ({ norm }) => (norm === "none" ? "no norm" : `${norm}-norm`),
  scale_scores: ({ scale_scores }) => `scaling ${scale_scores ? "on" : "off"}`,
  positions: ({ positions }) => `positions ${positions ? "on" : "off"}`,
  learning_rate: ({ learning_rate }) => `learning rate ${learning_rate}`,
  batch_size: ({ batch_size }) => `batches of ${batch_size}`,
  seed: ({ seed }) => `seed ${seed}`,
};

/** What `facts` has otherwise than `other`: "1 head, scaling off". @param {Configs} facts @param {Configs} other */
export function differences(facts, other) {
  const [these, those] = [facts, other].map(({ model, train }) => /** @type {Settings} */ ({ ...model, ...train }));
  const differs = (/** @type {string} */ name) => these[name] !== those[name];
  const beyond = [...beyondControls(facts), ...beyondControls(other)].map(([name]) => name);
  const words = [
    ...RUN_NAMES.filter(differs).map((name) => settingNames[name](settingsOf(facts))),
    ...[...new Set(beyond)].filter(differs).map((name) => `${name} = ${these[name]}`),
  ];
  return words.join(", ") || "the same settings";
}

/** A run's task, mask and seed, and what else is not at its default. @param {Configs} facts */
export const differingWords = (facts) =>
  [inWords(settingsOf(facts), ["task", "mask", "seed"]), ...beyondInWords(facts)].join(", ");

/** The settings that are not at their defaults, and those that are told in any case.
 * @param {RunSettings} settings @param {(keyof RunSettings)[]} always */
export const inWords = (settings, always) =>
  RUN_NAMES.filter((name) => always.includes(name) || settings[name] !== DEFAULTS[name])
    .map((name) => settingNames[name](settings))
    .join(", ");
