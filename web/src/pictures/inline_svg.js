// A drawing in the page as plain shapes: places as on screen, no percentages, nothing stretched, styles written out.
// Programs that draw SVG differ in all of these.
import { paint } from "./colours.js";
import { runOf } from "./text_runs.js";
import { n, tag } from "./svg.js";

/** @typedef {{left: number, top: number, clips: string[]}} Place   of the picture on the screen; clipping paths so far */

/** @param {SVGSVGElement} svg @param {Place} place @returns {string} */
export const drawing = (svg, place) => [...svg.children].map((child) => shape(/** @type {SVGGraphicsElement} */ (child), place)).join("");

/** @param {SVGGraphicsElement} element @param {Place} place @returns {string} */
function shape(element, place) {
  const style = getComputedStyle(element);
  if (style.display === "none" || style.visibility === "hidden") return "";
  if (element instanceof SVGSVGElement) return nested(element, place);
  if (element instanceof SVGGElement) return [...element.children].map((child) => shape(/** @type {SVGGraphicsElement} */ (child), place)).join("");
  if (element instanceof SVGTextElement) return words(element, place);
  if (!(element instanceof SVGGeometryElement)) return ""; // title, desc
  const at = mapping(element, place);
  /** @type {import("./svg.js").Attributes} */
  const look = {
    ...paint("fill", style.fill, Number(style.fillOpacity) * Number(style.opacity)),
    ...stroke(style, style.vectorEffect === "non-scaling-stroke" ? 1 : at.scale),
  };
  if (look.fill === "none" && look.stroke === "none") return "";
  if (element instanceof SVGCircleElement) {
    const [cx, cy] = at.point(element.cx.baseVal.value, element.cy.baseVal.value);
    return tag("circle", { cx, cy, r: element.r.baseVal.value * at.scale, ...look });
  }
  if (element instanceof SVGRectElement) {
    const [x, y] = at.point(element.x.baseVal.value, element.y.baseVal.value);
    const [right, foot] = at.point(element.x.baseVal.value + element.width.baseVal.value, element.y.baseVal.value + element.height.baseVal.value);
    return tag("rect", { x, y, width: right - x, height: foot - y, rx: element.rx.baseVal.value * at.scale || undefined, ...look });
  }
  if (element instanceof SVGLineElement) {
    const [x1, y1] = at.point(element.x1.baseVal.value, element.y1.baseVal.value);
    const [x2, y2] = at.point(element.x2.baseVal.value, element.y2.baseVal.value);
    return tag("line", { x1, y1, x2, y2, ...look });
  }
  if (element instanceof SVGPolygonElement) {
    return tag("polygon", { points: [...element.points].map(({ x, y }) => at.point(x, y).map(n).join()).join(" "), ...look });
  }
  return tag("path", { d: path(element.getAttribute("d") ?? "", at.point), ...look });
}

/** @param {CSSStyleDeclaration} style @param {number} scale */
function stroke(style, scale) {
  const painted = paint("stroke", style.stroke, Number(style.strokeOpacity) * Number(style.opacity));
  if (painted.stroke === "none") return {};
  const dashes = style.strokeDasharray === "none" ? undefined : style.strokeDasharray.replace(/px/g, "");
  return {
    ...painted, "stroke-width": parseFloat(style.strokeWidth) * scale, "stroke-dasharray": dashes,
    "stroke-linecap": style.strokeLinecap === "butt" ? undefined : style.strokeLinecap,
    "stroke-linejoin": style.strokeLinejoin === "miter" ? undefined : style.strokeLinejoin,
  };
}

/** From an element's own coordinates to those of the picture. @param {SVGGraphicsElement} element @param {Place} place */
function mapping(element, { left, top }) {
  const { a, b, c, d, e, f } = /** @type {DOMMatrix} */ (element.getScreenCTM());
  const point = (/** @type {number} */ x, /** @type {number} */ y) => [a * x + c * y + e - left, b * x + d * y + f - top];
  return { point, scale: Math.sqrt(Math.abs(a * d - b * c)) };
}

/** An inner drawing. @param {SVGSVGElement} svg @param {Place} place */
function nested(svg, place) {
  const inner = svg.querySelector("path, line, rect, circle");
  if (!(inner instanceof SVGGraphicsElement)) return "";
  const { point } = mapping(inner, { ...place, left: 0, top: 0 });
  const { x, y, width, height } = svg.viewBox.baseVal;
  const [[left, top], [right, foot]] = [point(x, y), point(x + width, y + height)];
  return clipped(svg, place, new DOMRect(left, top, right - left, foot - top), drawing(svg, place));
}

/** Where a drawing cuts off what is outside, its picture does, half a line's width away.
 * @param {SVGSVGElement} svg @param {Place} place @param {DOMRect} box   on screen @param {string} content */
export function clipped(svg, place, { x, y, width, height }, content) {
  if (getComputedStyle(svg).overflow === "visible" || !content) return content;
  const id = `clip${place.clips.length + 1}`;
  const box = tag("rect", { x: x - place.left - 1, y: y - place.top - 1, width: width + 2, height: height + 2 });
  place.clips.push(tag("clipPath", { id }, box));
  return tag("g", { "clip-path": `url(#${id})` }, content);
}

/** The commands that the figures' paths have. @param {string} d @param {(x: number, y: number) => number[]} point */
function path(d, point) {
  let [x, y, startX, startY] = [0, 0, 0, 0];
  return [...d.matchAll(/([MLHVhvz])([^MLHVhvz]*)/gi)].map(([, command, rest]) => {
    const numbers = rest.match(/-?\d*\.?\d+(?:e-?\d+)?/gi)?.map(Number) ?? [];
    if (/z/i.test(command)) {
      [x, y] = [startX, startY];
      return "Z";
    }
    const points = [];
    for (let i = 0; i < numbers.length; i += /[hv]/i.test(command) ? 1 : 2) {
      const relative = command === command.toLowerCase();
      if (/[ml]/i.test(command)) [x, y] = [numbers[i] + (relative ? x : 0), numbers[i + 1] + (relative ? y : 0)];
      else if (/h/i.test(command)) x = numbers[i] + (relative ? x : 0);
      else y = numbers[i] + (relative ? y : 0);
      if (/m/i.test(command)) [startX, startY] = [x, y];
      points.push(point(x, y).map(n).join(" "));
    }
    return `${/m/i.test(command) ? "M" : "L"}${points.join("L")}`;
  }).join("");
}

/** Text, piece by piece as it is styled. @param {SVGTextElement} element @param {Place} place */
function words(element, place) {
  const { point, scale } = mapping(element, place);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const runs = [];
  let from = 0;
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    const parent = /** @type {SVGTextContentElement} */ (node.parentNode);
    const written = node.data.replace(/\s+/g, " ");
    const count = written.length;
    if (from + count > element.getNumberOfChars()) break;
    if (written.trim()) {
      const start = element.getStartPositionOfChar(from);
      const length = element.getSubStringLength(from, count) * scale;
      const [x, y] = point(start.x, start.y);
      runs.push(runOf(written, parent, { x, y, width: length, scale, anchor: getComputedStyle(parent).textAnchor }));
    }
    from += count;
  }
  return runs.join("");
}
