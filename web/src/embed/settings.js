// Which settings of the embedded figure its page has fixed, and what is shown of its controls.
import { PROPERTIES } from "../state.js";
import { KNOBS } from "../trainer/knobs.js";
import { PICKS } from "../trainer/template.js";

/** @typedef {import("../share/shareable.js").Texts} Texts */
/** @typedef {import("./options.js").Options} Options */

export const FIXED = "Fixed by the page that embeds this figure.";

/** What may be hidden besides settings. */
const PARTS = /** @type {Record<string, string>} */ ({
  controls: ".needs-script, .controls, .more, .timeline",
  buttons: ".buttons",
  knobs: ".knobs",
  experiments: ".experiments",
  compare: "[data-action=keep]",
  files: ".take-away",
  maps: ".maps",
  curves: ".curve",
  positions: ".positions",
  caption: ".caption",
  tools: ".tools",
  link: ".origin",
});

/** What cannot be answered without Python: names in links. */
const LIVE_ONLY = [
  ...Object.entries(KNOBS).map(([name, knob]) => ("link" in knob ? knob.link : name)), "seed", "experiment",
];

/** Parts that are of no use without Python; of the probe's, the recorded ones to pick remain. */
const LIVE_PARTS = ".buttons, .knobs, .experiments, .field.seed, .field.probe input, [data-live]";

/** What may be fixed: not the epoch, which training moves. @param {Texts} state */
const fixable = (state) => Object.keys(state).filter((name) => name !== "epoch");

export class Settings {
  /** The values of what is fixed, as soon as there is a figure that has them. @type {Texts} */
  #fixed = {};

  /** @param {Options} options */
  constructor({ fix, engine }) {
    this.fix = fix;
    this.recordedOnly = engine === "recorded";
  }

  /** What is fixed keeps the value that it has in this state. @param {Texts} state */
  hold(state) {
    this.#fixed = Object.fromEntries(this.fix.filter((name) => name in state).map((name) => [name, state[name]]));
  }

  /** What has been changed all the same, as it was: some controls set what others are for. @param {Texts} state @returns {Texts} */
  restored(state) {
    return Object.fromEntries(Object.entries(this.#fixed).filter(([name, value]) => state[name] !== value));
  }

  /**
   * Without what may not be changed; a sentence about each of it.
   * @param {Texts} given @param {Texts} now   the whole state of the figure, as far as it is known
   * @returns {{state: Texts, notices: string[]}}
   */
  allowed(given, now) {
    /** @type {string[]} */
    const notices = [];
    const entries = Object.entries(given).filter(([name, value]) => {
      if (value === now[name]) return true;
      const notice = this.#objection(name, value);
      if (notice) notices.push(notice);
      return !notice;
    });
    return { state: Object.fromEntries(entries), notices };
  }

  /** The same for a fragment, where what is not named has its default. @param {Texts} given */
  allowedInLink(given) {
    const { state, notices } = this.allowed(given, this.#fixed);
    return { state: { ...state, ...this.#fixed }, notices };
  }

  /** @param {string} name @param {string} value */
  #objection(name, value) {
    if (name in this.#fixed) return `${name} is fixed by the page that embeds this figure.`;
    if (!this.recordedOnly) return "";
    const what = name.replace(/^kept\./, "");
    if (what === "probe" && !PICKS.includes(value.toUpperCase())) {
      return `The page that embeds this figure shows recorded runs only, which know the probes ${PICKS.join(", ")}.`;
    }
    if (!LIVE_ONLY.includes(what)) return "";
    return `The page that embeds this figure shows recorded runs only: ${name} needs one that is trained here.`;
  }
}

/**
 * Hide what the options say. A sentence about each name that the figure does not have.
 * @param {HTMLElement} card   the figure and what stands around it @param {Options} options @param {Texts} state
 */
export function hideParts(card, { hide, fix, engine }, state) {
  const selectors = hide.map((name) => PARTS[name]).filter(Boolean);
  if (engine === "recorded") selectors.push(LIVE_PARTS);
  if (fix.length) selectors.push(PARTS.experiments, "[data-opens]"); // they set what may be fixed
  for (const selector of selectors) {
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll(selector))) part.hidden = true;
  }
  const settings = hide.filter((name) => !PARTS[name]);
  for (const control of settings.flatMap((name) => controlsOf(card, name))) {
    const field = /** @type {HTMLElement | null} */ (control.closest(".field, .knob, .timeline, [role=radiogroup]"));
    for (const part of field ? [field] : [control, ...labelsOf(control)]) part.hidden = true;
  }
  return unknown("hide", settings, Object.keys(state), Object.keys(PARTS));
}

/**
 * Disable the controls of what is fixed. A sentence about each name that the figure does not have.
 * @param {HTMLElement} card @param {Options} options @param {Texts} state
 */
export function disableFixed(card, { fix }, state) {
  const controls = fix.flatMap((name) => controlsOf(card, name));
  if (controls.length) card.insertAdjacentHTML("beforeend", `<p id="fixed" hidden>${FIXED}</p>`);
  for (const control of controls) {
    control.disabled = true;
    control.setAttribute("aria-describedby", `${control.getAttribute("aria-describedby") ?? ""} fixed`.trim());
    for (const part of [control, ...labelsOf(control)]) part.title = FIXED;
  }
  return unknown("fix", fix, fixable(state));
}

/** @param {string} option @param {string[]} names @param {string[]} settings @param {string[]} [parts] */
function unknown(option, names, settings, parts = []) {
  const wrong = names.filter((name) => !settings.includes(name));
  const known = [...new Set([...parts, ...settings])].join(", ") || "none";
  return wrong.map((name) => `“${name}” cannot be named in ${option} for this figure; what can: ${known}.`);
}

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLButtonElement} Control */

/** The controls of a setting, by its name in links. @param {HTMLElement} card @param {string} name @returns {Control[]} */
function controlsOf(card, name) {
  const [property] = Object.entries(PROPERTIES).find(([own, { link = own }]) => link === name) ?? [name];
  const picks = name === "probe" ? ", [data-pick]" : "";
  const slider = name === "epoch" ? ", .timeline input" : "";
  const selector = `[data-setting="${CSS.escape(property)}"], [data-link="${CSS.escape(name)}"]${picks}${slider}`;
  return [.../** @type {NodeListOf<Control>} */ (card.querySelectorAll(selector))];
}

/** @param {Control} control @returns {HTMLElement[]} */
const labelsOf = (control) => [...(control.labels ?? [])];
