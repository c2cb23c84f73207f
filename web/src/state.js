// The state that a link carries: one table of properties drives parsing, the URL fragment and the controls.

/**
 * @typedef {object} State
 * @property {string} task
 * @property {string} mask
 * @property {string} probe
 * @property {number | null} epoch   null: the latest
 * @property {number} seed
 */

/**
 * @typedef {{kind: "choice", label: string, default: string, choices: [value: string, label: string][]}} Choice
 * @typedef {{kind: "letters", label: string, default: string, length: number, last: string}} Letters
 * @typedef {{kind: "whole", label: string, default: number | null, max: number}} Whole
 */

export const PROPERTIES = {
  /** @type {Choice} */
  task: {
    kind: "choice",
    label: "Task",
    default: "reverse",
    choices: [["reverse", "Reverse"], ["copy", "Copy"], ["sort", "Sort"]],
  },
  /** @type {Choice} */
  mask: {
    kind: "choice",
    label: "Attention mask",
    default: "bidirectional",
    choices: [["bidirectional", "Bidirectional"], ["causal", "Causal"]],
  },
  /** @type {Letters} */
  probe: { kind: "letters", label: "Probe sequence", default: "FACE", length: 4, last: "H" },
  /** @type {Whole} */
  epoch: { kind: "whole", label: "Epoch", default: null, max: 10_000 },
  /** @type {Whole} */
  seed: { kind: "whole", label: "Seed", default: 0, max: 2 ** 32 - 1 },
};

/**
 * The value of a text, or the sentence that says what is wrong with it.
 * @param {keyof typeof PROPERTIES} name
 * @param {string} text
 * @returns {{value: string | number, error?: undefined} | {value?: undefined, error: string}}
 */
export function parse(name, text) {
  const property = PROPERTIES[name];
  if (property.kind === "choice") {
    if (property.choices.some(([value]) => value === text)) return { value: text };
    const known = property.choices.map(([value]) => value).join(", ");
    return { error: `${property.label} must be one of ${known}.` };
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

/**
 * The state in a URL fragment such as "#task=sort&seed=3". What is unknown or wrong takes its default.
 * @param {string} fragment
 * @returns {State}
 */
export function fromFragment(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const entries = Object.entries(PROPERTIES).map(([name, property]) => {
    const text = given.get(name);
    const parsed = text === null ? null : parse(/** @type {keyof typeof PROPERTIES} */ (name), text);
    return [name, parsed?.value ?? property.default];
  });
  return /** @type {State} */ (Object.fromEntries(entries));
}

/**
 * The fragment that `fromFragment` reads back; what has its default is left out.
 * @param {State} state
 */
export function toFragment(state) {
  const parts = Object.entries(PROPERTIES)
    .map(([name, property]) => ({ name, value: state[/** @type {keyof State} */ (name)], usual: property.default }))
    .filter(({ value, usual }) => value !== usual)
    .map(({ name, value }) => `${name}=${value}`);
  return parts.length ? `#${parts.join("&")}` : "";
}
