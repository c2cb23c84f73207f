// The row of the table that is open: its tensors as maps, the cell pointed at, and how that was made. Pure.
import { fixed } from "../numbers.js";
import { idsOf, OVER_KEYS, PER_HEAD } from "./asks.js";
import { heat, reach, scale } from "./heat.js";
import { explained } from "./made.js";
import { symbol } from "./symbols.js";

/** @typedef {import("./asks.js").Place} Place */
/** `opened` in questions.py.
 * @typedef {{sizes: Record<string, number>, layers: number, allowed: boolean[][], tensors: Record<string, any>,
 *   made: import("./made.js").Cell | import("./made.js").Weight | null}} Opened */

/** The symbols of the tensors, as the catalogue has them, by id. @typedef {Record<string, string>} Symbols */

/** @param {string} id @param {Opened} opened @param {number} head */
const matrix = (id, { tensors }, head) => (PER_HEAD.includes(id) ? tensors[id][head] : tensors[id]);

/** The maps of the open row. @param {Opened} opened @param {string} probe @param {Place} place @param {Symbols} symbols
 * @param {boolean} [marked]   mark the cell pointed at */
export function maps(opened, probe, { row, layer, head, cell }, symbols, marked = false) {
  return idsOf(row).map((id, i) => {
    const values = matrix(id, opened, head);
    const shares = id === "P";
    const overKeys = OVER_KEYS.includes(id);
    const weights = id.startsWith("W");
    const inHead = PER_HEAD.includes(id) ? `, head ${head + 1}` : "";
    const where = `layer ${layer + 1}${inHead}`;
    const map = heat({
      label: `${id}, ${where}`,
      values,
      rows: weights ? numbered(values.length) : [...probe],
      columns: overKeys ? [...probe] : numbered(values[0].length),
      allowed: overKeys ? opened.allowed : null,
      shares,
      block: weights || id === "O_concat" ? opened.sizes.d_k : 0,
    }, marked && i === 0 ? cell : null);
    return (
      `<figure class="map"><div class="caption"><span>${symbol(symbols[id])}, ${where}</span>` +
      `${scale(shares, reach(values))}</div>` +
      `<div class="points" data-map="${i}" tabindex="0" role="group" aria-label="${id}, ${where}: arrow keys move from cell to cell">` +
      `${map}</div></figure>`
    );
  }).join("");
}

/** The cell pointed at, in words. @param {Opened} opened @param {string} probe @param {Place} place @param {number} map */
export function told(opened, probe, { row, head, cell: [i, j] }, map) {
  const id = idsOf(row)[map];
  if (!id) return "";
  const value = matrix(id, opened, head)[i]?.[j];
  if (value === undefined) return "";
  const from = `${probe[i]} (position ${i})`;
  if (OVER_KEYS.includes(id)) {
    const to = `${probe[j]} (position ${j})`;
    if (!opened.allowed[i][j]) return `Query ${from} is not allowed to look at key ${to}.`;
    return `Query ${from}, key ${to}: ${fixed(value, 3)}`;
  }
  const d_k = opened.sizes.d_k;
  const part = id.startsWith("W") || id === "O_concat" ? `, head ${Math.floor(j / d_k) + 1}` : "";
  const place = id.startsWith("W") ? `${id}, row ${i}` : `${id}, token ${from}`;
  return `${place}, column ${j}${part}: ${fixed(value, 3)}`;
}

/** @param {Opened} opened @param {string} probe */
export const made = ({ made: how }, probe) => (how ? explained(how, probe) : "");

/** @param {number} length */
const numbered = (length) => Array.from({ length }, (_, i) => String(i));

/** A group of radio buttons, one per layer or head. @param {"layer" | "head"} name @param {number} count
 * @param {number} [chosen]   checked in the static form */
export function choices(name, count, chosen) {
  return Array.from({ length: count }, (_, i) =>
    `<label><input type="radio" name="shape-${name}" value="${i}"${i === chosen ? " checked" : ""}>` +
    `<span>${i + 1}</span></label>`).join("");
}

/** @param {number} heads */
export const headsInWords = (heads) => `${heads} ${heads === 1 ? "head" : "heads"}`;
