// What the table asks: the tensors of the row that is open, and how the cell pointed at was made.

/** @typedef {import("../questions.js").Question} Question */
/** `row` counts from 0, null: none is open; `cell` is the row and column pointed at.
 * @typedef {{row: number | null, layer: number, head: number, cell: [number, number]}} Place */

/** The tensors of each row; the template holds them against the catalogue's. */
export const ROWS = [["X"], ["W_Q", "W_K", "W_V"], ["Q", "K", "V"], ["S"], ["P"], ["O"], ["O_concat"], ["Y"]];

/** Tensors with an axis of heads. */
export const PER_HEAD = ["Q", "K", "V", "S", "P", "O"];
/** Tensors whose columns are keys. */
export const OVER_KEYS = ["S", "P"];
/** Tensors whose cells the package explains. */
const EXPLAINED = ["S", "P", "O", "Y"];

/** The row that is open first: P. */
export const FIRST_ROW = ROWS.findIndex(([id]) => id === "P");

/** @param {number | null} row */
export const idsOf = (row) => (row === null ? [] : ROWS[row]);

/** @param {number | null} row */
export const hasHeads = (row) => PER_HEAD.includes(idsOf(row)[0]);

/** The cell that a row points at when it is opened: the first query and the last key, or the first cell.
 * @param {number | null} row @param {string} probe @returns {[number, number]} */
export const firstCell = (row, probe) => [0, OVER_KEYS.includes(idsOf(row)[0]) ? probe.length - 1 : 0];

/** The place nearest to one in a model of these sizes.
 * @param {Place} place
 * @param {Pick<import("../../engine/protocol.js").RunFacts["model"], "n_layers" | "n_heads" | "d_model" | "seq_len">} model
 * @returns {Place} */
export function fit({ row, layer, head, cell: [i, j] }, { n_layers, n_heads, d_model, seq_len }) {
  const id = idsOf(row)[0] ?? "";
  const rows = id.startsWith("W") ? d_model : seq_len;
  const columns = OVER_KEYS.includes(id) ? seq_len : PER_HEAD.includes(id) ? d_model / n_heads : d_model;
  const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.max(0, Math.min(at, count - 1));
  return {
    row, layer: within(layer, n_layers), head: within(head, n_heads), cell: [within(i, rows), within(j, columns)],
  };
}

/** @param {string} probe @param {Place} place @returns {Question} */
export function asks(probe, { row, layer, head, cell }) {
  const ids = idsOf(row);
  /** @type {number[] | null} */
  let index = null;
  if (EXPLAINED.includes(ids[0])) index = PER_HEAD.includes(ids[0]) ? [head, ...cell] : [...cell];
  return { name: "opened", args: { probe, ids, layer: row === null ? 0 : layer, index } };
}
