// Labels one below the other in a margin, each as near to what it names as the others allow.

/** @typedef {{text: string, colour: string, at: number}} Label   at: where it would like to stand, in canvas pixels */

/** Height of a label in CSS pixels. */
const LINE = 13;

/** The labels from top to bottom, each as near to its place as the others allow.
 * @param {Label[]} labels @param {number} line   height of a label @param {number} bottom   none stands below that */
export function placed(labels, line, bottom) {
  const sorted = labels.map((label) => ({ ...label })).sort((a, b) => a.at - b.at);
  // Push apart what would overlap: downwards first, then back up from the bottom edge.
  for (let i = 1; i < sorted.length; i++) sorted[i].at = Math.max(sorted[i].at, sorted[i - 1].at + line);
  for (let i = sorted.length - 1; i >= 0; i--) {
    const below = i === sorted.length - 1 ? bottom : sorted[i + 1].at - line;
    sorted[i].at = Math.min(sorted[i].at, below);
  }
  return sorted;
}

/**
 * @param {CanvasRenderingContext2D} ctx   with its font set
 * @param {Label[]} labels
 * @param {number} left   in canvas pixels, as is `bottom`: none stands below that
 * @param {number} bottom @param {number} ratio   canvas pixels in a CSS pixel
 */
export function drawLabels(ctx, labels, left, bottom, ratio) {
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const { text, colour, at } of placed(labels, LINE * ratio, bottom)) {
    ctx.fillStyle = colour;
    ctx.fillText(text, left, at);
  }
}
