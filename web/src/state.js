// The state that a link carries: one table of properties drives parsing, the URL fragment and the controls.
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
/** @typedef {RunSettings & {probe: string}} ScreenSettings */
/** @typedef {ScreenSettings & {epoch: number | null}} State   epoch null: the latest */

/**
 * `link` names the property in a link, where that is not its own name.
 * @typedef {{label: string, link?: string}} Named
 * @typedef {Named & {kind: "choice", default: string | number, choices: [value: string | number, label: string][]}} Choice
 * @typedef {Named & {kind: "switch", default: boolean}} Switch
 * @typedef {Named & {kind: "letters", default: string, length: number, last: string}} Letters
 * @typedef {Named & {kind: "whole", default: number | null, max: number}} Whole
 * @typedef {Choice | Switch | Letters | Whole} Property
 */

/** @satisfies {Record<keyof State, Property>} */
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
  epoch: /** @type {Whole} */ ({ kind: "whole", label: "Epoch", default: null, max: 10_000 }),
  seed: /** @type {Whole} */ ({ kind: "whole", label: "Seed", default: 0, max: 2 ** 32 - 1 }),
};

const NAMES = /** @type {(keyof State)[]} */ (Object.keys(PROPERTIES));
/** The properties that decide what a run computes. */
export const RUN_NAMES = /** @type {(keyof RunSettings)[]} */ (NAMES.filter((name) => name !== "probe" && name !== "epoch"));

/** What a link without a fragment shows. */
export const DEFAULTS = /** @type {State} */ (
  Object.fromEntries(NAMES.map((name) => [name, PROPERTIES[name].default]))
);

/** The settings of a run, out of more. @param {RunSettings} settings @returns {RunSettings} */
export const runSettings = (settings) =>
  /** @type {RunSettings} */ (Object.fromEntries(RUN_NAMES.map((name) => [name, settings[name]])));

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
 * @param {keyof State} name
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

/** As `parse` reads it. @param {State[keyof State]} value */
export const write = (value) => (typeof value === "boolean" ? (value ? "on" : "off") : String(value));

/** @param {keyof State} name */
const linkName = (name) => /** @type {Property} */ (PROPERTIES[name]).link ?? name;

/** Whether a URL fragment carries the trainer's state; "#norm" names a place in the article. @param {string} fragment */
export const carriesState = (fragment) =>
  fragment.includes("=") && !figureIn(fragment) && NAMES.some((name) => linkName(name) in inFragment(fragment));

/** The experiment that a fragment such as "#experiment=scaling" names, or null. @param {string} fragment */
export const experimentIn = (fragment) => inFragment(fragment).experiment ?? null;

/**
 * The state in a URL fragment such as "#task=sort&seed=3". What is unknown or wrong takes its default.
 * @param {string} fragment
 */
export const fromFragment = (fragment) => fromTexts(figureIn(fragment) ? {} : inFragment(fragment), DEFAULTS);

/**
 * A state with what is given put in; what is unknown or wrong changes nothing.
 * @param {Texts} given @param {State} state @returns {State}
 */
export function fromTexts(given, state) {
  const entries = NAMES.map((name) => {
    const text = given[linkName(name)];
    return [name, (text === undefined ? null : parse(name, text))?.value ?? state[name]];
  });
  return /** @type {State} */ (Object.fromEntries(entries));
}

/** Every property as links write it; "": the latest epoch. @param {State} state @returns {Texts} */
export const toTexts = (state) =>
  Object.fromEntries(NAMES.map((name) => [linkName(name), state[name] === null ? "" : write(state[name])]));

/** What differs from the default, as links write it. @param {State} state @returns {Texts} */
export const changed = (state) => {
  const names = NAMES.filter((name) => state[name] !== DEFAULTS[name]);
  return Object.fromEntries(names.map((name) => [linkName(name), write(state[name])]));
};

/**
 * The fragment that `fromFragment` reads back; what has its default is left out.
 * @param {State} state
 */
export const toFragment = (state) => asFragment(changed(state));
