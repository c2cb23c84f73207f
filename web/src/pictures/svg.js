// SVG that stands alone: shapes and text with presentation attributes, in fonts that every program has. Pure.
import { PALETTE } from "./palette.js";

/**
 * A picture that can be saved.
 * @typedef {object} Picture
 * @property {string} label   in a list of pictures
 * @property {string} file    without an ending
 * @property {boolean} [detail]   whether it is part of another one
 * @property {() => Svg} draw
 */

/** @typedef {{text: string, width: number, height: number}} Svg   in CSS pixels */

/**
 * @typedef {object} Sheet
 * @property {string} title
 * @property {string} words   what is shown, in words: the run, or the parameters
 * @property {string} site    whence it comes
 */

const MARGIN = 20;
const TITLE = 18;
const WORDS = 12.5;
const LINE = 17;
const SITE = 11;
/** Width of a character, in font sizes: enough in every font without serifs. */
const CHARACTER = 0.56;

/** @typedef {Record<string, string | number | undefined>} Attributes   undefined ones are not written */

/** A number as SVG needs it. @param {number} value */
export const n = (value) => String(Number(value.toFixed(2)));

/** @param {string} text */
export const escaped = (text) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/** An element. @param {string} name @param {Attributes} attributes @param {string} [content] */
export function tag(name, attributes, content) {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}="${typeof value === "number" ? n(value) : escaped(value)}"`]);
  return `<${[name, ...written].join(" ")}${content === undefined ? "/>" : `>${content}</${name}>`}`;
}

/** @param {string} words @param {number} x @param {number} y   of its baseline
 * @param {Attributes} [more] */
export const text = (words, x, y, more = {}) =>
  tag("text", { x, y, "font-size": 12, fill: PALETTE["--ink"], ...more }, escaped(words));

/** @param {string} words @param {number} characters   in a line */
export function wrapped(words, characters) {
  /** @type {string[]} */
  const lines = [];
  for (const word of words.split(" ").filter(Boolean)) {
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + word.length < characters) lines[last] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}

const HATCH = 6;

/** What is not allowed is hatched: line by line, since LibreOffice leaves out the pattern of a box with round corners.
 * @param {number} x @param {number} y @param {number} width @param {number} height */
export function hatching(x, y, width, height) {
  const lines = [];
  for (let sum = HATCH; sum < width + height; sum += HATCH) { // on each line, the distances from left and top add up to this
    const [foot, head] = [Math.min(sum, height), Math.min(sum, width)];
    lines.push(`M${n(x + sum - foot)} ${n(y + foot)}L${n(x + head)} ${n(y + sum - head)}`);
  }
  return tag("path", { d: lines.join(""), stroke: PALETTE["--hatch"], "stroke-width": 1, fill: "none" });
}

/** A content of some size, with title, words and the site's name around it.
 * @param {Sheet} sheet @param {{width: number, height: number, shapes: string}} content @returns {Svg} */
export function framed({ title, words, site }, { width, height, shapes }) {
  const inside = Math.max(width, 260);
  const titles = wrapped(title, Math.floor(inside / (TITLE * CHARACTER)));
  const lines = wrapped(words, Math.floor(inside / (WORDS * CHARACTER)));
  const head = titles.length * (TITLE + 5) + lines.length * LINE + 12;
  const [w, h] = [Math.ceil(inside + 2 * MARGIN), Math.ceil(MARGIN + head + height + 16 + SITE + 10)];
  const heading = titles.map((line, i) =>
    text(line, MARGIN, MARGIN + TITLE * 0.85 + i * (TITLE + 5), { "font-size": TITLE, "font-weight": 700 }));
  const told = lines.map((line, i) =>
    text(line, MARGIN, MARGIN + titles.length * (TITLE + 5) + LINE * (i + 0.7), { "font-size": WORDS, fill: PALETTE["--ink-soft"] }));
  const body = [
    tag("title", {}, escaped(title)),
    tag("desc", {}, escaped([words, site].filter(Boolean).join(". "))),
    tag("rect", { width: w, height: h, fill: PALETTE["--paper"] }),
    ...heading,
    ...told,
    tag("g", { transform: `translate(${n(MARGIN + (inside - width) / 2)} ${n(MARGIN + head)})` }, shapes),
    text(site, w - MARGIN, h - 10, { "font-size": SITE, "text-anchor": "end", fill: PALETTE["--ink-soft"] }),
  ];
  const root = { xmlns: "http://www.w3.org/2000/svg", width: w, height: h, viewBox: `0 0 ${w} ${h}`, "font-family": "sans-serif" };
  return { text: `<?xml version="1.0" encoding="UTF-8"?>\n${tag("svg", root, `\n${body.join("\n")}\n`)}\n`, width: w, height: h };
}
