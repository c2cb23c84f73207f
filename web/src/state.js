// The state that a link carries: one table of properties drives parsing, the URL fragment and the controls.
import { EPOCHS } from "./runs/package.js";
import { asFragment, figureIn, inFragment } from "./share/link.js";
import { KNOBS } from "./trainer/knobs.js";

/** @typedef {import("./share/shareable.js").Texts} Texts */

/**
 * Names and values are those of the package's ModelConfig and TrainConfig.
 * @typedef {object} RunSettings
 * @property {string} task
 * @property {string} mask
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {number} d_model
 * @property {string} norm
 * @property {boolean} scale_scores
 * @property {boolean} positions
 * @property {number} learning_rate
 * @property {number} batch_size
 * @property {number} seed
 */
/** What the package was told. @typedef {Pick<import("./engine/protocol.js").RunFacts, "model" | "train">} Configs */
/** @typedef {RunSettings & {probe: string}} ScreenSettings */
/** @typedef {RunSettings & {trained: number}} KeptSettings */
/**
 * @typedef {object} Look
 * @property {number | null} epoch     on screen; null: the latest
 * @property {number | null} trained   epochs that the run has; null: all that are planned
 * @property {boolean} knobs           whether the settings of model and training are open
 * @property {string} experiment       the one that is open, or ""
 * @property {number | null} answer    the reader's to it, counted from 0
 * @property {boolean} outcome         whether the experiment has been run, and says what came of it
 */
/** @typedef {ScreenSettings & Look & {kept: KeptSettings | null}} State   kept: the run beside the one on screen */

/**
 * `link` names the property in a link, where that is not its own name.
 * @typedef {{label: string, link?: string}} Named
 * @typedef {Named & {kind: "choice", default: string | number, choices: [value: string | number, label: string][]}} Choice
 * @typedef {Named & {kind: "switch", default: boolean}} Switch
 * @typedef {Named & {kind: "letters", default: string, length: number, last: string}} Letters
 * @typedef {Named & {kind: "whole", default: number | null, max: number, last?: string}} Whole   last: what
 *   the greatest is called
 * @typedef {Choice | Switch | Letters | Whole} Property
 */

/** Those of trainer/experiments.json, which Node, when it makes the figures' static forms, would not import.
 * @type {(keyof typeof import("./trainer/experiments.json"))[]} */
const EXPERIMENTS = ["lookup", "shapes", "scaling", "saturation", "causal", "norm"];

/** @satisfies {Record<Exclude<keyof State, "kept">, Property>} */
export const PROPERTIES = {
  task: /** @type {Choice} */ ({
    kind: "choice",
    label: "Task",
    default: "reverse",
    choices: [["reverse", "Reverse"], ["copy", "Copy"], ["sort", "Sort"]],
  }),
  mask: /** @type {Choice} */ ({
    kind: "choice",
    label: "Attention mask",
    default: "bidirectional",
    choices: [["bidirectional", "Bidirectional"], ["causal", "Causal"]],
  }),
  ...KNOBS,
  probe: /** @type {Letters} */ ({ kind: "letters", label: "Probe sequence", default: "FACE", length: 4, last: "H" }),
  epoch: /** @type {Whole} */ ({ kind: "whole", label: "Epoch", default: null, max: EPOCHS, last: "this run’s last" }),
  seed: /** @type {Whole} */ ({ kind: "whole", label: "Seed", default: 0, max: 2 ** 32 - 1 }),
  trained: /** @type {Whole} */ ({
    kind: "whole", label: "Trained epochs", default: null, max: EPOCHS, last: "the length of a run",
  }),
  knobs: /** @type {Switch} */ ({ kind: "switch", label: "Model and training", default: false }),
  experiment: /** @type {Choice} */ ({
    kind: "choice",
    label: "Experiment",
    default: "",
    choices: EXPERIMENTS.map((id) => [id, id]),
  }),
  answer: /** @type {Whole} */ ({ kind: "whole", label: "Answer", default: null, max: 2 }),
  outcome: /** @type {Switch} */ ({ kind: "switch", label: "Outcome", default: false }),
};

/** @typedef {keyof typeof PROPERTIES} Name */

export const NAMES = /** @type {Name[]} */ (Object.keys(PROPERTIES));
/** The properties that decide what a run computes. */
export const RUN_NAMES = /** @type {(keyof RunSettings)[]} */ (["task", "mask", ...Object.keys(KNOBS), "seed"]);

/** What a link without a fragment shows. */
export const DEFAULTS = /** @type {State} */ ({
  ...Object.fromEntries(NAMES.map((name) => [name, PROPERTIES[name].default])),
  kept: null,
});

/** The settings of a run, out of more. @param {RunSettings} settings @returns {RunSettings} */
export const runSettings = (settings) =>
  /** @type {RunSettings} */ (Object.fromEntries(RUN_NAMES.map((name) => [name, settings[name]])));

/** @param {RunSettings} one @param {RunSettings} other */
export const sameSettings = (one, other) => RUN_NAMES.every((name) => one[name] === other[name]);

/** The settings that a run was given. @param {Configs} facts */
export const settingsOf = ({ model, train }) => runSettings(/** @type {RunSettings} */ ({ ...model, ...train }));

/**
 * What the engine is told. The hidden width of the feedforward follows the model's, as in the default.
 * @param {RunSettings} settings @returns {import("./engine/protocol.js").Settings}
 */
export const engineSettings = (settings) => ({ ...runSettings(settings), d_ff: 2 * settings.d_model });

/** Whether a run is one of those that the build records: the default in all but task and mask. @param {RunSettings} settings */
export const isDefaultRun = (settings) =>
  RUN_NAMES.every((name) => name === "task" || name === "mask" || settings[name] === DEFAULTS[name]);

/**
 * The value of a text, or the sentence that says what is wrong with it.
 * @param {Name} name
 * @param {string} text
 * @returns {{value: string | number | boolean, error?: undefined} | {value?: undefined, error: string}}
 */
export function parse(name, text) {
  /** @type {Property} */
  const property = PROPERTIES[name];
  if (property.kind === "choice") {
    const known = property.choices.map(([value]) => value);
    const value = known.find((candidate) => String(candidate) === text);
    return value !== undefined ? { value } : { error: `${property.label} must be one of ${known.join(", ")}.` };
  }
  if (property.kind === "switch") {
    if (text === "on" || text === "off") return { value: text === "on" };
    return { error: `${property.label} must be on or off.` };
  }
  if (property.kind === "letters") {
    const letters = text.trim().toUpperCase();
    const wrong = [...letters].find((c) => c < "A" || c > property.last);
    if (wrong !== undefined) return { error: `“${wrong}” is not one of the letters A to ${property.last}.` };
    if (letters.length === property.length) return { value: letters };
    return { error: `A probe has ${property.length} letters, A to ${property.last}; this has ${letters.length}.` };
  }
  const number = Number(text);
  if (/^\d{1,10}$/.test(text.trim()) && number <= property.max) return { value: number };
  return { error: `${property.label} must be a whole number from 0 to ${property.max.toLocaleString("en")}.` };
}

/** As `parse` reads it. @param {string | number | boolean} value */
export const write = (value) => (typeof value === "boolean" ? (value ? "on" : "off") : String(value));

/** @param {Name} name */
export const linkName = (name) => /** @type {Property} */ (PROPERTIES[name]).link ?? name;

/** Whether a URL fragment carries the trainer's state; "#norm" names a place in the article, "#experiment=norm" an
 * experiment. @param {string} fragment */
export const carriesState = (fragment) => {
  const names = ["v", ...NAMES.filter((name) => name !== "experiment" && name !== "answer").map(linkName)];
  const given = Object.keys(inFragment(fragment)).map((key) => key.replace("kept.", ""));
  return fragment.includes("=") && !figureIn(fragment) && given.some((key) => names.includes(key));
};

/** Whether a fragment says which epoch is to be seen, be it the last. @param {string} fragment */
export const namesEpoch = (fragment) => "epoch" in inFragment(fragment);

/** The experiment that a fragment such as "#experiment=scaling" names, or null. @param {string} fragment */
export const experimentIn = (fragment) => inFragment(fragment).experiment ?? null;

/** @param {State} state @param {Name} name */
const written = (state, name) => (state[name] === null ? "" : write(state[name]));

/** @param {KeptSettings} kept @param {(keyof RunSettings)[]} names @returns {Texts} */
const keptTexts = (kept, names) => ({
  ...Object.fromEntries(names.map((name) => [`kept.${linkName(name)}`, write(kept[name])])),
  "kept.trained": write(kept.trained),
});

/** Every property as links write it; "": the latest epoch, the whole run, nothing kept. @param {State} state @returns {Texts} */
export const toTexts = (state) => ({
  ...Object.fromEntries(NAMES.map((name) => [linkName(name), written(state, name)])),
  ...(state.kept ? keptTexts(state.kept, RUN_NAMES) : { "kept.trained": "" }),
});

/** What differs from the default, as links write it. @param {State} state @returns {Texts} */
export function changed(state) {
  const names = NAMES.filter((name) => state[name] !== DEFAULTS[name]);
  const texts = Object.fromEntries(names.map((name) => [linkName(name), written(state, name)]));
  // Where no run is recorded, a link that names an epoch only asks for no more than that: see share/opened.js.
  if (state.epoch !== null && state.trained === null && !isDefaultRun(state)) texts.trained = write(EPOCHS);
  const { kept } = state;
  return { ...texts, ...(kept && keptTexts(kept, RUN_NAMES.filter((name) => kept[name] !== DEFAULTS[name]))) };
}

/** Raised when the meaning of a link changes. */
export const VERSION = 1;

/** The fragment that `openedLink` (share/opened.js) reads back; what has its default is left out. @param {State} state */
export function toFragment(state) {
  const texts = changed(state);
  return Object.keys(texts).length ? asFragment({ v: String(VERSION), ...texts }) : "";
}
