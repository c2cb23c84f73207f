// Numbers in coloured cells. The colour is an SVG attribute: the site's policy allows no style attributes.
import { css, inkOn, viridis } from "../widgets/viridis.js";
import { fixed, short } from "./numbers.js";

/** @param {string} text @param {string} fill   attributes of the rectangle behind it @param {string} [names]   classes */
const cell = (text, fill, names = "") =>
  `<span class="tint ${names}"><svg aria-hidden="true"><rect width="100%" height="100%" ${fill}/></svg>` +
  `<span>${text}</span></span>`;

/** From rust over the paper to blue. @param {number} value @param {number} full   where the colour is strongest
 * @param {string} [text] */
export function signed(value, full, text = short(value)) {
  const share = Math.min(1, Math.abs(value) / full);
  return cell(text, `class="${value < 0 ? "negative" : "positive"}" fill-opacity="${(0.55 * share).toFixed(3)}"`);
}

/** @param {number[]} values @param {number} full @param {number} [digits]   after the point, the same for all */
export const vector = (values, full, digits) =>
  `<span class="vector">${values
    .map((value) => signed(value, full, digits === undefined ? undefined : fixed(value, digits)))
    .join("")}</span>`;

/** In viridis; exactly 0 is written without a point. @param {number} value @param {number} digits */
export const probability = (value, digits) =>
  cell(value === 0 ? "0" : fixed(value, digits), `fill="${css(viridis(value))}"`, inkOn(value) === "#fff" ? "dark" : "light");

/** What the mask forbids. @param {string} text */
export const forbidden = (text) => `<span class="tint hatched"><span>${text}</span></span>`;
