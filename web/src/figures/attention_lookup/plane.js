// A plane of numbers, and what is drawn in one: lines, arrows, names.

/** @typedef {[number, number]} Point   in the drawing */
/** @typedef {(point: number[]) => Point} Map   from numbers to the drawing */

/** Of the drawing, in units of its own; on a phone it is shown smaller. */
const SIZE = 232;

/** The plane from low to high in both directions, with its grid. @param {number} low @param {number} high */
export function plane(low, high) {
  const unit = SIZE / (high - low);
  /** @type {Map} */
  const to = ([x, y]) => [(x - low) * unit, (high - y) * unit];
  const whole = Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, i) => Math.ceil(low) + i);
  const lines = whole.map((k) => {
    const name = k === 0 ? "axis" : "grid";
    return line([k, low], [k, high], name, to) + line([low, k], [high, k], name, to);
  });
  return { low, high, to, grid: lines.join("") };
}

/** The numbers at a place in the drawing; `across` and `down` go from 0 to 1.
 * @param {{low: number, high: number}} plane @param {number} across @param {number} down */
export const fromPlane = ({ low, high }, across, down) => [low + across * (high - low), high - down * (high - low)];

/** @param {string} name   of the picture @param {string[]} content */
export const picture = (name, content) =>
  `<svg class="plane" viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="${name}">${content.join("")}</svg>`;

/** @param {number[]} from @param {number[]} end @param {string} name @param {Map} to */
export function line(from, end, name, to) {
  const [[x1, y1], [x2, y2]] = [to(from), to(end)];
  return `<line class="${name}" x1="${tenths(x1)}" y1="${tenths(y1)}" x2="${tenths(x2)}" y2="${tenths(y2)}"/>`;
}

/** A shaft and a head; a dot where there is no length. @type {typeof line} */
export function arrow(from, end, name, to) {
  const [[x1, y1], [x2, y2]] = [to(from), to(end)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return `<circle class="${name} head" cx="${tenths(x2)}" cy="${tenths(y2)}" r="3"/>`;
  const head = Math.min(9, length);
  const [dx, dy] = [(head * (x2 - x1)) / length, (head * (y2 - y1)) / length];
  const [bx, by] = [x2 - dx, y2 - dy];
  const corners = [[x2, y2], [bx - 0.45 * dy, by + 0.45 * dx], [bx + 0.45 * dy, by - 0.45 * dx]];
  return (
    `<line class="${name}" x1="${tenths(x1)}" y1="${tenths(y1)}" x2="${tenths(bx)}" y2="${tenths(by)}"/>` +
    `<polygon class="${name} head" points="${corners.map((corner) => corner.map(tenths).join()).join(" ")}"/>`
  );
}

/** @param {Point} point @param {string} text @param {string} name @param {"start" | "middle" | "end"} anchor */
export const label = ([x, y], text, name, anchor) =>
  `<text class="${name}" x="${tenths(x)}" y="${tenths(y)}" text-anchor="${anchor}">${text}</text>`;

/** The name of a vector at its tip: under one that lies flat, to the left of one that stands.
 * @param {number[]} tip @param {string} text @param {Map} to */
export function named(tip, text, to) {
  const [x, y] = to(tip);
  if (!tip[0] && !tip[1]) return label([x - 6, y + 17], text, "name", "end");
  const flat = Math.abs(tip[0]) > Math.abs(tip[1]);
  return flat ? label([x, y + 17], text, "name", "middle") : label([x - 8, y + 5], text, "name", "end");
}

/** A name above the tip of an arrow, to the right: clear of the other names. @param {number[]} tip @param {string} text
 * @param {Map} to */
export function above(tip, text, to) {
  const [x, y] = to(tip);
  return label([x + 8, y - 8], text, "query", "start");
}

/** @param {number} value */
const tenths = (value) => String(Number(value.toFixed(1)));
