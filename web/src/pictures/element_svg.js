// A figure of the page as SVG: its boxes, its text where it stands, its drawings as shapes. For figures made of HTML, whose
// layout only the browser knows. What is copied is what this site's figures use, not all of CSS: backgrounds in one
// colour, hatching, borders, outlines.
import { paint, plain } from "./colours.js";
import { clipped, drawing } from "./inline_svg.js";
import { PALETTE } from "./palette.js";
import { framed, hatching, n, tag } from "./svg.js";
import { ascent, linesOf, runOf } from "./text_runs.js";

/** @typedef {import("./inline_svg.js").Place} Place */

/** The figure as on screen, in the light theme and without its controls: see `.as-picture` in styles/tools.css. The page
 * is not drawn in between.
 * @param {HTMLElement} figure @param {import("./svg.js").Sheet} sheet @returns {import("./svg.js").Svg} */
export function elementPicture(figure, sheet) {
  figure.classList.add("as-picture");
  for (const [name, colour] of Object.entries(PALETTE)) figure.style.setProperty(name, colour);
  try {
    const { left, top, width, height } = figure.getBoundingClientRect();
    /** @type {Place} */
    const place = { left, top, clips: [] };
    const shapes = inside(figure, place);
    const clips = place.clips.length ? tag("defs", {}, place.clips.join("")) : "";
    return framed(sheet, { width, height, shapes: clips + shapes });
  } finally {
    figure.classList.remove("as-picture");
    for (const name of Object.keys(PALETTE)) figure.style.removeProperty(name);
  }
}

/** @param {Element} parent @param {Place} place @returns {string} */
function inside(parent, place) {
  return [...parent.childNodes].map((node) => {
    if (node instanceof Text) return lines(node, parent, place);
    return node instanceof Element ? element(node, place) : "";
  }).join("");
}

/** @param {Element} node @param {Place} place */
function element(node, place) {
  const style = getComputedStyle(node);
  if (style.display === "none" || style.visibility === "hidden" || style.clipPath !== "none") return "";
  if (node instanceof SVGSVGElement) return boxOf(node, style, place) + clipped(node, place, node.getBoundingClientRect(), drawing(node, place));
  if (node instanceof HTMLInputElement && !["number", "text"].includes(node.type)) return "";
  const box = boxOf(node, style, place);
  if (node instanceof HTMLInputElement) return box + valueOf(node, style, place);
  const mark = node.localName === "msqrt" ? root(node, place) : node.localName === "mfrac" ? bar(node, place) : "";
  return box + mark + inside(node, place);
}

/** Background, borders and outline. @param {Element} node @param {CSSStyleDeclaration} style @param {Place} place */
function boxOf(node, style, place) {
  const rect = node.getBoundingClientRect();
  if (!rect.width || !rect.height) return "";
  const [x, y, width, height] = [rect.left - place.left, rect.top - place.top, rect.width, rect.height];
  const rx = parseFloat(style.borderTopLeftRadius) || undefined;
  const drawn = [];
  if (plain(style.backgroundColor).opacity) drawn.push(tag("rect", { x, y, width, height, rx, ...paint("fill", style.backgroundColor) }));
  if (style.backgroundImage.includes("gradient")) drawn.push(hatching(x, y, width, height));
  const sides = /** @type {const} */ (["Top", "Right", "Bottom", "Left"]).map((side) => {
    const seen = !["none", "hidden"].includes(style[`border${side}Style`]);
    const size = seen ? parseFloat(style[`border${side}Width`]) : 0;
    const dashes = style[`border${side}Style`] === "dashed" ? "4 3" : undefined;
    /** @type {import("./svg.js").Attributes} */
    const look = { ...paint("stroke", style[`border${side}Color`]), "stroke-dasharray": dashes };
    return { size, look };
  });
  const [first, right, bottom, left] = sides;
  if (sides.every((side) => side.size && side.size === first.size && side.look.stroke === first.look.stroke)) {
    const { size, look } = first;
    const half = size / 2;
    if (look.stroke !== "none") {
      drawn.push(tag("rect", { x: x + half, y: y + half, width: width - size, height: height - size, rx, fill: "none", "stroke-width": size, ...look }));
    }
  } else {
    const ends = [
      { ...first, at: [x, y, x + width, y] }, { ...right, at: [x + width, y, x + width, y + height] },
      { ...bottom, at: [x, y + height, x + width, y + height] }, { ...left, at: [x, y, x, y + height] },
    ];
    for (const { size, look, at: [x1, y1, x2, y2] } of ends) {
      if (size && look.stroke !== "none") drawn.push(tag("line", { x1, y1, x2, y2, "stroke-width": size, ...look }));
    }
  }
  // A line at the side, drawn as a shadow: it divides the columns of heads.
  const shadow = /^(rgb.*?\)|color\(.*?\)) (-?\d+)px 0px 0px 0px$/.exec(style.boxShadow);
  if (shadow) drawn.push(tag("line", { x1: x - 0.5, y1: y, x2: x - 0.5, y2: y + height, "stroke-width": 1, ...paint("stroke", shadow[1]) }));
  if (node.matches("td") && style.outlineStyle === "solid") {
    const size = parseFloat(style.outlineWidth);
    drawn.push(tag("rect", { x, y, width, height, fill: "none", "stroke-width": size, ...paint("stroke", style.outlineColor) }));
  }
  return drawn.join("");
}

/** @param {Text} node @param {Element} parent @param {Place} place */
function lines(node, parent, place) {
  if (!node.data.trim()) return "";
  const style = getComputedStyle(parent);
  if (parseFloat(style.fontSize) < 3) return ""; // numbers that are there for copying only
  const up = ascent(parent);
  const alone = parent.childNodes.length === 1 && parent.namespaceURI !== MATHML;
  const anchor = alone ? { center: "middle", end: "end", right: "end" }[style.textAlign] ?? "start" : "start";
  return linesOf(node).map(({ text: words, rect }) =>
    runOf(words, parent, { x: rect.left - place.left, y: rect.top - place.top + rect.height * up, width: rect.width, anchor })).join("");
}

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** The number in a box. @param {HTMLInputElement} input @param {CSSStyleDeclaration} style @param {Place} place */
function valueOf(input, style, place) {
  const { left, top, width, height } = input.getBoundingClientRect();
  const size = parseFloat(style.fontSize);
  return tag("text", {
    x: left - place.left + width / 2, y: top - place.top + height / 2 + size * 0.36, "font-size": size,
    "font-family": "monospace", "text-anchor": "middle", ...paint("fill", style.color),
  }, input.value.replace("-", "−"));
}

/** The sign of a root, which has no character. @param {Element} node @param {Place} place */
function root(node, place) {
  const { left, top, right, bottom, height } = node.getBoundingClientRect();
  const start = node.firstElementChild?.getBoundingClientRect().left ?? left;
  const at = (/** @type {number} */ x, /** @type {number} */ y) => `${n(x - place.left)} ${n(y - place.top)}`;
  const width = start - left;
  const d = `M${at(left + width * 0.1, top + height * 0.62)}L${at(left + width * 0.35, top + height * 0.55)}` +
    `L${at(left + width * 0.6, bottom - 1)}L${at(start, top + 1)}L${at(right, top + 1)}`;
  return tag("path", { d, fill: "none", "stroke-width": 1, ...paint("stroke", getComputedStyle(node).color) });
}

/** The bar of a fraction. @param {Element} node @param {Place} place */
function bar(node, place) {
  const { left, right } = node.getBoundingClientRect();
  const [over, under] = [...node.children].map((child) => child.getBoundingClientRect());
  const y = (over.bottom + under.top) / 2 - place.top;
  return tag("line", { x1: left - place.left, y1: y, x2: right - place.left, y2: y, ...paint("stroke", getComputedStyle(node).color) });
}
