// What a link opens: values outside their range become the nearest that is offered, and a sentence says so.
import { EPOCHS } from "../runs/package.js";
import { DEFAULTS, NAMES, PROPERTIES, RUN_NAMES, VERSION, isDefaultRun, linkName, parse, sameSettings } from "../state.js";
import { figureIn, inFragment } from "./link.js";

/** @typedef {import("./shareable.js").Texts} Texts */
/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Name} Name */
/** @typedef {{state: State, notices: string[]}} Opened */
/** @typedef {{value: string | number | boolean | null, notice?: string}} Settled */

const LONGEST_ECHO = 20;

/** The state in a URL fragment such as "#task=sort&seed=3". @param {string} fragment */
export const openedLink = (fragment) => opened(figureIn(fragment) ? {} : inFragment(fragment), DEFAULTS);

/**
 * A state with what is given put in. Unknown names change nothing.
 * @param {Texts} given @param {State} base @param {number} epochs   of a run
 * @returns {Opened}
 */
export function opened(given, base, epochs = EPOCHS) {
  /** @type {string[]} */
  const notices = [];
  const version = Number(given.v ?? VERSION);
  if (version > VERSION) notices.push("This link was made by a newer version of this page; what is not known here is left out.");
  /** @param {Name} name @param {string} text @param {number} [max] @param {string} [prefix] */
  const settled = (name, text, max, prefix = "") => {
    const { value, notice } = settle(name, text, max);
    if (notice) notices.push(prefix + notice);
    return value;
  };
  const named = NAMES.filter((name) => given[linkName(name)] !== undefined && name !== "epoch" && name !== "trained");
  const values = named.map((name) => [name, settled(name, given[linkName(name)])]);
  const state = /** @type {State} */ ({ ...base, ...Object.fromEntries(values) });
  const another = !sameSettings(state, base);
  if (another) Object.assign(state, { epoch: null, trained: null });
  if (given.trained !== undefined) {
    const trained = settled("trained", given.trained, epochs);
    Object.assign(state, { trained: trained === epochs ? null : trained });
  }
  if (given.epoch !== undefined) {
    const epoch = settled("epoch", given.epoch, state.trained ?? epochs);
    Object.assign(state, { epoch });
    // A link to an epoch of a run that has to be trained first asks for no more than that.
    if (another && given.trained === undefined && !isDefaultRun(state)) {
      Object.assign(state, { epoch: null, trained: epoch === epochs ? null : epoch });
    }
  } else if (given.trained !== undefined && state.epoch !== null) {
    state.epoch = Math.min(state.epoch, state.trained ?? epochs);
  }
  if (state.epoch === (state.trained ?? epochs)) state.epoch = null;
  state.kept = kept(given, base.kept, (name, text) => settled(name, text, undefined, "Kept run: "));
  return { state, notices };
}

/**
 * The kept run that is given, or the one there was.
 * @param {Texts} given @param {State["kept"]} before
 * @param {(name: Name, text: string) => Settled["value"]} settled
 */
function kept(given, before, settled) {
  if (given["kept.trained"] === "") return null;
  const names = /** @type {Name[]} */ ([...RUN_NAMES, "trained"]);
  const named = names.filter((name) => given[`kept.${linkName(name)}`] !== undefined);
  if (!named.length) return before;
  const values = named.map((name) => [name, settled(name, given[`kept.${linkName(name)}`])]);
  const run = Object.fromEntries([...RUN_NAMES.map((name) => [name, DEFAULTS[name]]), ["trained", EPOCHS], ...values]);
  return /** @type {import("../state.js").KeptSettings} */ ({ ...run, trained: run.trained ?? EPOCHS });
}

/**
 * The value of a text; the nearest that is offered, or the default, if it is none.
 * @param {Name} name @param {string} text @param {number} [max]   of a whole number, if it is less than the property's
 * @returns {Settled}
 */
export function settle(name, text, max) {
  /** @type {import("../state.js").Property} */
  const property = PROPERTIES[name];
  if (text === "" && (property.default === null || property.default === "")) return { value: property.default };
  if (property.kind === "whole") return whole(property, text, max ?? property.max);
  const { value, error } = parse(name, text);
  if (value !== undefined) return { value };
  const told = `“${text.slice(0, LONGEST_ECHO)}${text.length > LONGEST_ECHO ? "…" : ""}”`;
  if (property.kind === "choice") return choice(property, text, told);
  if (property.kind === "switch") {
    const shown = property.default ? "on" : "off";
    return { value: property.default, notice: `${property.label} can be on or off, not ${told}; it is ${shown}.` };
  }
  const cut = text.trim().toUpperCase().slice(0, property.length);
  if (text.length > property.length && parse(name, cut).error === undefined) {
    return { value: cut, notice: `A probe has ${property.length} letters; of ${told}, the first ${property.length} are shown.` };
  }
  return { value: property.default, notice: `${error} Showing ${property.default}.` };
}

/** @param {import("../state.js").Choice} property @param {string} text @param {string} told @returns {Settled} */
function choice({ label, choices, default: usual }, text, told) {
  const number = Number(text);
  if (typeof usual === "number" && text.trim() && Number.isFinite(number)) {
    const distance = (/** @type {string | number} */ value) => Math.abs(Number(value) - number);
    const [[value, shown]] = [...choices].sort(([one], [other]) => distance(one) - distance(other));
    return value === number ? { value } : { value, notice: `${label} ${text} is not offered; showing the nearest, ${shown}.` };
  }
  const shown = choices.find(([value]) => value === usual)?.[1] ?? "none";
  return { value: usual, notice: `${label} ${told} is not known; showing ${shown}.` };
}

/** @param {import("../state.js").Whole} property @param {string} text @param {number} max @returns {Settled} */
function whole({ label, default: usual, last }, text, max) {
  const number = Number(text);
  const say = (/** @type {number} */ value) => value.toLocaleString("en");
  if (!/^[+-]?\d+$/.test(text.trim())) {
    return { value: usual, notice: `${label} must be a whole number, which “${text.slice(0, LONGEST_ECHO)}” is not; showing ${usual ?? "the latest"}.` };
  }
  if (number < 0) return { value: 0, notice: `${label} ${say(number)} is below 0; showing 0.` };
  if (number > max) {
    const beyond = last ? `beyond ${last}, ${say(max)}` : `above ${say(max)}`;
    return { value: max, notice: `${label} ${say(number)} is ${beyond}; showing ${say(max)}.` };
  }
  return { value: number };
}
