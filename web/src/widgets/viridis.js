// Viridis (van der Walt and Smith 2015): even steps in brightness, readable with any colour vision and in grey.

/** Nine points of the map, from 0 to 1; colours between them are interpolated. */
const POINTS = [
  [68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141],
  [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37],
];

/** [red, green, blue] of a value from 0 to 1. @param {number} value */
export function viridis(value) {
  const at = Math.min(1, Math.max(0, value)) * (POINTS.length - 1);
  const i = Math.min(POINTS.length - 2, Math.floor(at));
  return POINTS[i].map((low, c) => Math.round(low + (POINTS[i + 1][c] - low) * (at - i)));
}

/** Black or white, whichever is easier to read on the colour of a value. @param {number} value */
export const inkOn = (value) => (value > 0.55 ? "#111" : "#fff");

/** @param {number[]} rgb */
export const css = (rgb) => `rgb(${rgb.join(" ")})`;
