// SVG as wide as its place, in which only shapes are stretched: text keeps its size on every screen. Horizontal places
// are percentages, and paths stand in an inner drawing of 100 by 100.

/** @param {number} value   0 to 1 */
export const percent = (value) => `${+(value * 100).toFixed(3)}%`;

/** @param {number} value   in the inner drawing */
const place = (value) => String(+value.toFixed(2));

/** @param {number[][]} points   x, y from 0 to 100, y downwards */
export const line = (points) => `M${points.map(([x, y]) => `${place(x)} ${place(y)}`).join("L")}`;

/** An inner drawing of 100 by 100 over the full width, `top` px from the top and `height` px high.
 * @param {number} top @param {number} height @param {string} content */
export const stretched = (top, height, content) =>
  `<svg y="${top}" width="100%" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none">${content}</svg>`;

/** A vertical line.
 * @param {string} name   its class @param {number} x   0 to 1 @param {number} y1   px @param {number} y2 */
export const upright = (name, x, y1, y2) =>
  `<line class="${name}" x1="${percent(x)}" x2="${percent(x)}" y1="${y1}" y2="${y2}"/>`;

/** A horizontal line. @param {string} name @param {number} y   px @param {number} [x1]   0 to 1 @param {number} [x2] */
export const level = (name, y, x1 = 0, x2 = 1) =>
  `<line class="${name}" x1="${percent(x1)}" x2="${percent(x2)}" y1="${y}" y2="${y}"/>`;

/** @param {string} name @param {number} x   0 to 1 @param {number} y   px @param {string} words
 * @param {"start" | "middle" | "end"} [anchor] */
export const text = (name, x, y, words, anchor = "middle") =>
  `<text class="${name}" x="${percent(x)}" y="${y}" text-anchor="${anchor}">${words}</text>`;
