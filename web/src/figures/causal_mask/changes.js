// What a changed token moves: a row per output, a column per token that is changed. Pure: answers in, HTML out.
import { forbidden, signed } from "../cells.js";
import { fixed } from "../numbers.js";
import { PROBE } from "./asks.js";

/** `change_token` in theory/masking.py. @typedef {{position: number, change: number[], visible: boolean[]}} Change */

/** Largest logit change at which a bar and a colour are full. */
const FULL = 10;

/** @param {Change[]} changes   one for each position of the probe @param {number} chosen */
export function changeParts(changes, chosen) {
  const rows = [...PROBE].map((_, i) => {
    const cells = changes.map(({ change, visible }, j) => {
      const text = change[i] === 0 ? "0" : fixed(change[i], 2);
      return `<td${j === chosen ? ' class="chosen"' : ""}>${visible[i] ? signed(change[i], FULL, text) : forbidden(text)}</td>`;
    });
    return `<tr><th scope="row">${i}</th>${cells.join("")}<td class="moves">${bar(changes[chosen].change[i])}</td></tr>`;
  });
  return { changes: rows.join(""), moves: words(changes[chosen]) };
}

/** @param {number} change */
function bar(change) {
  if (change === 0) return `<span class="still">0 exactly</span>`;
  const width = Math.min(100, (100 * change) / FULL);
  return (
    `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">` +
    `<rect class="positive" width="${width.toFixed(1)}" height="1"/></svg>`
  );
}

/** @param {Change} answer */
function words({ position, change }) {
  const still = change.flatMap((moved, i) => (moved === 0 ? [i] : []));
  const most = change.indexOf(Math.max(...change));
  const largest = `The output at ${most} moves most, by up to ${fixed(change[most], 2)}.`;
  const replaced = `Replace “${PROBE[position]}” at position ${position}:`;
  if (!still.length) return `${replaced} every output moves. ${largest}`;
  return `${replaced} the output${still.length > 1 ? "s" : ""} at ${listed(still)} cannot see it and stay${still.length > 1 ? "" : "s"} the same, bit for bit. ${largest}`;
}

/** @param {number[]} numbers */
const listed = (numbers) =>
  numbers.length < 2 ? `${numbers[0]}` : `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
