// Text on the page as SVG text: a piece for each line of each text node, where it stands on screen.
import { paint } from "./colours.js";
import { escaped, n, tag } from "./svg.js";

/** @typedef {{text: string, rect: DOMRect}} Run */

/** A piece of text. `x` is its left edge and `y` its baseline; `anchor` says which of its points stays where it is, in a
 * program whose font is wider.
 * @param {string} words @param {Element} parent   whose style it has
 * @param {{x: number, y: number, width: number, scale?: number, anchor?: string}} place */
export function runOf(words, parent, { x, y, width, scale = 1, anchor = "start" }) {
  const style = getComputedStyle(parent);
  const svg = parent instanceof SVGElement;
  const look = paint("fill", svg ? style.fill : style.color, svg ? Number(style.fillOpacity) : 1);
  if (look.fill === "none") return "";
  const italic = style.fontStyle !== "normal" || isVariable(parent);
  const shift = anchor === "middle" ? width / 2 : anchor === "end" ? width : 0;
  const attributes = {
    x: x + shift,
    y,
    "font-size": parseFloat(style.fontSize) * scale,
    "font-family": family(style.fontFamily),
    "font-weight": Number(style.fontWeight) === 400 ? undefined : style.fontWeight,
    "font-style": italic ? "italic" : undefined,
    "text-anchor": anchor === "start" ? undefined : anchor,
    ...look,
    // Another font would be wider or narrower: the piece keeps the place that it has.
    ...(words.length > 1 ? { textLength: n(width), lengthAdjust: "spacingAndGlyphs" } : {}),
  };
  return tag("text", attributes, escaped(ordinary(words)));
}

/** A single letter in a formula is in italics, by MathML's own rule, unless it is one of those that Unicode has styled.
 * @param {Element} element */
const isVariable = (element) =>
  element.localName === "mi" && element.textContent?.length === 1 && element.getAttribute("mathvariant") !== "normal";

/** The generic family that a list of fonts ends in. With serifs it may be much wider than the page's, and what programs do
 * about that is to let words overlap: so one first that is as narrow. @param {string} fonts */
function family(fonts) {
  if (/monospace/.test(fonts)) return "monospace";
  return /sans-serif/.test(fonts) ? undefined : "Times New Roman, Times, serif"; // without serifs is the picture's own
}

/** Without what only fonts for mathematics have: their letters, and their dot. @param {string} words */
const ordinary = (words) => words.replace(/[\u{1d400}-\u{1d7ff}]/gu, (letter) => letter.normalize("NFKC")).replace(/⋅/g, "·");

/** The lines of a text node, as they are broken on screen. @param {Text} node @returns {Run[]} */
export function linesOf(node) {
  /** @type {Run[]} */
  const lines = [];
  const range = document.createRange();
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const rect = range.getBoundingClientRect();
    if (!rect.width) continue;
    const last = lines[lines.length - 1];
    if (last && Math.abs(last.rect.top - rect.top) < 2) {
      last.text += ` ${word}`;
      last.rect = new DOMRect(last.rect.left, last.rect.top, rect.right - last.rect.left, last.rect.height);
    } else {
      lines.push({ text: word, rect });
    }
  }
  return lines;
}

/** @type {CanvasRenderingContext2D | null} */
let context = null;

/** The share of a line's height that lies above its baseline. @param {Element} parent */
export function ascent(parent) {
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return 0.8;
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(parent);
  context.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = context.measureText("x");
  return up / (up + down);
}
