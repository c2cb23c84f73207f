// What a page may say about the figure that it embeds: one table drives the address of the embed page, the attributes
// of <micro-transformer> and the documentation. A setting of the figure is no option: it stands in the fragment.

/**
 * @typedef {object} Names   some of several names, separated by commas or spaces
 * @property {"names"} kind
 * @property {string[]} default
 * @property {string} meaning
 */
/**
 * @typedef {object} Word   one of a few words
 * @property {"word"} kind
 * @property {string} default
 * @property {string[]} words
 * @property {string} meaning
 */
/** @typedef {{hide: string[], fix: string[], theme: string, engine: string, start: string}} Options */

/** @satisfies {Record<keyof Options, Names | Word>} */
export const OPTIONS = {
  hide: /** @type {Names} */ ({
    kind: "names",
    default: [],
    meaning: "parts or settings that are not shown: " +
      "controls, buttons, knobs, experiments, compare, files, maps, curves, positions, caption, tools, link, or a setting such as seed",
  }),
  fix: /** @type {Names} */ ({
    kind: "names",
    default: [],
    meaning: "settings that keep the value they are given; their controls are shown, and disabled",
  }),
  theme: /** @type {Word} */ ({
    kind: "word",
    default: "auto",
    words: ["auto", "light", "dark"],
    meaning: "auto: as the reader’s system; in <micro-transformer>, as the color-scheme of the page around it",
  }),
  engine: /** @type {Word} */ ({
    kind: "word",
    default: "live",
    words: ["live", "recorded"],
    meaning: "recorded: Python is never downloaded; what was recorded can be seen and replayed, and nothing trains",
  }),
  start: /** @type {Word} */ ({
    kind: "word",
    default: "click",
    words: ["click", "view"],
    meaning: "view: training starts by itself when the trainer is first seen, unless the reader saves data or wants less motion",
  }),
};

export const OPTION_NAMES = /** @type {(keyof Options)[]} */ (Object.keys(OPTIONS));

/** @param {string} text */
const names = (text) => text.split(/[\s,]+/).filter(Boolean);

/**
 * The options in the query of an address; what is unknown is ignored, what is wrong takes its default and is told.
 * @param {string} query @returns {{options: Options, notices: string[]}}
 */
export function readOptions(query) {
  const given = new URLSearchParams(query);
  /** @type {string[]} */
  const notices = [];
  const entries = OPTION_NAMES.map((name) => {
    /** @type {Names | Word} */
    const option = OPTIONS[name];
    const text = given.get(name);
    if (text === null) return [name, option.default];
    if (option.kind === "names") return [name, names(text)];
    if (option.words.includes(text)) return [name, text];
    notices.push(`“${text}” is not a value of ${name}, which is one of ${option.words.join(", ")}; it is ${option.default} now.`);
    return [name, option.default];
  });
  return { options: /** @type {Options} */ (Object.fromEntries(entries)), notices };
}
