// The static form: the eight rows from the catalogue, and the attention weights of the first head.
import { keyOf } from "../questions.js";
import { nameOf, PROBE, recorded, SETTINGS } from "../subject.js";
import { asks, FIRST_ROW, firstCell, hasHeads, ROWS } from "./asks.js";
import { choices, headsInWords, made, maps, told } from "./view.js";

/** @typedef {import("./asks.js").Place} Place */
/** `Row` in theory/cells.py.
 * @typedef {{ids: string[], symbols: string[], expressions: string[], axes: string[], shape: number[],
 *   meanings: string[], sources: string[], lines: number[]}} Row */

export const tag = "shape-table";

const LAYERS = 2; // of the default run
const HEADS = 2;
const SHAPES = { name: "shapes_of_run", args: {} };
/** @type {Place} */
const FIRST = { row: FIRST_ROW, layer: 0, head: 0, cell: firstCell(FIRST_ROW, PROBE) };

/** @param {number} count */
const upTo = (count) => Array.from({ length: count }, (_, i) => i);

/** Every row in every layer and head with the cell that it first points at, and the other weights of the first head.
 * @type {import("../questions.js").Question[]} */
const opened = [
  asks(PROBE, { ...FIRST, row: null }),
  ...upTo(ROWS.length).flatMap((row) => upTo(LAYERS).flatMap((layer) =>
    upTo(hasHeads(row) ? HEADS : 1).map((head) => asks(PROBE, { row, layer, head, cell: firstCell(row, PROBE) })))),
  ...upTo(PROBE.length ** 2).map((i) => asks(PROBE, { ...FIRST, cell: [Math.floor(i / PROBE.length), i % PROBE.length] })),
];
export const questions = [...new Map([SETTINGS, SHAPES, ...opened].map((asked) => [keyOf(asked), asked])).values()];

/** @param {(question: import("../questions.js").Question) => any} answer   what was recorded */
export function template(answer) {
  /** @type {Row[]} */
  const rows = answer(SHAPES);
  if (JSON.stringify(rows.map(({ ids }) => ids)) !== JSON.stringify(ROWS)) {
    throw new Error("The rows of <shape-table> are not the catalogue's TABLE; write those into shape_table/asks.js.");
  }
  const first = answer(asks(PROBE, FIRST));
  const symbols = Object.fromEntries(rows.flatMap((row) => row.ids.map((id, i) => [id, row.symbols[i]])));
  const size = (/** @type {string} */ axis) => `<span data-axis="${axis}">${first.sizes[axis]}</span>`;
  const heads = `<span data-heads>${headsInWords(first.sizes.H)}</span>`;
  const body = rows.map((row, i) => drawRow(row, i, size, heads) + (i === FIRST_ROW ? detail(first, answer, symbols) : ""));
  return `
<p class="sizes">One sequence: \\(T\\) = ${size("T")} tokens, width \\(d\\) = ${size("d")}, ${heads} of width \\(d_k\\) = ${size("d_k")}.</p>
<table class="shapes">
  <thead><tr><th scope="col">Tensor</th><th scope="col">Equals</th><th scope="col">Shape</th><th scope="col">Meaning</th></tr></thead>
  <tbody>${body.join("\n")}</tbody>
</table>`;
}

/** @param {Row} row @param {number} i @param {(axis: string) => string} size @param {string} heads */
function drawRow({ ids, symbols, expressions, axes, meanings, sources, lines }, i, size, heads) {
  const open = i === FIRST_ROW;
  const inside = axes.filter((axis) => axis !== "B" && axis !== "H");
  const each = axes.includes("H") ? ` × ${heads}` : "";
  const stacked = (/** @type {string[]} */ texts) => texts.map((text) => `<span>${text}</span>`).join("");
  const names = ids.map((id, k) => `<span data-symbol="${id}" data-tex="${symbols[k]}">\\(${symbols[k]}\\)</span>`);
  const equals = expressions.map((tex) => (tex ? `\\(${tex}\\)` : "learned"));
  const places = [...new Set(sources.map((source, k) => `${source}, line ${lines[k]}`))];
  return (
    `<tr data-row="${i}"${open ? ' class="open"' : ""}><th scope="row"><div>` +
    `<button type="button" class="needs-script opener" aria-expanded="${open}" aria-controls="shape-detail" ` +
    `aria-label="Numbers of ${ids.join(", ")}"></button><span class="stack">${names.join("")}</span></div></th>` +
    `<td class="stack">${stacked(equals)}</td>` +
    `<td class="shape"><span>\\([${inside.join(", ")}]\\)</span> <span class="lengths">[${inside.map(size).join(", ")}]${each}</span></td>` +
    `<td class="stack meaning">${stacked(meanings)}<span class="line">${places.join("; ")}</span></td></tr>`
  );
}

/** The row that is open: what a reader without JavaScript sees, and what the element fills.
 * @param {import("./view.js").Opened} first @param {(question: import("../questions.js").Question) => any} answer
 * @param {Record<string, string>} symbols */
function detail(first, answer, symbols) {
  const group = (/** @type {"layer" | "head"} */ name, /** @type {number} */ count, /** @type {string} */ label) =>
    `<div class="needs-script choice" data-choice="${name}" role="radiogroup" aria-label="${label}">` +
    `<span class="label" aria-hidden="true">${label}</span>` +
    `<div class="segmented" data-part="${name}s">${choices(name, count, 0)}</div></div>`;
  return `
<tr class="detail" id="shape-detail"><td colspan="4">
  <div class="figure-controls">${group("layer", first.layers, "Layer")}${group("head", first.sizes.H, "Head")}
  <span class="run" data-part="run">${nameOf(recorded(answer(SETTINGS)))}</span></div>
  <div class="tensors" data-part="maps">${maps(first, PROBE, FIRST, symbols, true)}</div>
  <p><output data-part="cell">${told(first, PROBE, FIRST, 0)}</output></p>
  <div class="made" data-part="made">${made(first, PROBE)}</div>
</td></tr>`;
}
