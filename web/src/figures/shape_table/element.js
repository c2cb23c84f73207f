// <shape-table>: open a row and see the tensor itself; point at a cell and see how it was made.
import { RunFigure } from "../run_figure.js";
import { nameOf, PROBE } from "../subject.js";
import { oneOf, whole } from "../../share/fields.js";
import { asks, FIRST_ROW, firstCell, fit, hasHeads, idsOf, ROWS } from "./asks.js";
import { choices, headsInWords, made, maps, told } from "./view.js";

/** @typedef {import("../questions.js").Question} Question */
/** @typedef {import("./view.js").Opened} Opened */

/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class ShapeTable extends RunFigure {
  /** @type {import("./asks.js").Place} */
  #place = { row: FIRST_ROW, layer: 0, head: 0, cell: firstCell(FIRST_ROW, PROBE) };
  /** Which of the row's maps is pointed at. */
  #map = 0;
  /** Where the pointer was last. */
  #pointer = { x: -1, y: -1 };
  /** The answer on screen. @type {Opened | null} */
  #opened = null;

  connect() {
    this.addEventListener("click", ({ target }) => {
      const row = /** @type {Element} */ (target).closest("th")?.closest("tr[data-row]");
      if (row instanceof HTMLTableRowElement) this.#open(row);
    });
    this.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      const name = target.name === "shape-layer" ? "layer" : "head";
      this.#place = { ...this.#place, [name]: Number(target.value) };
      this.refresh();
    });
    for (const type of /** @type {const} */ (["pointerdown", "pointermove"])) {
      this.addEventListener(type, (event) => this.#pointAt(event));
    }
    this.addEventListener("keydown", (event) => this.#key(event));
  }

  question() {
    const { live } = this;
    if (live) this.#place = fit(this.#place, live.run.facts.model);
    return asks(this.probe, this.#place);
  }

  nearest() {
    const { row } = this.#place;
    const place = this.subject ? fit(this.#place, this.subject.settings.model) : this.#place;
    return asks(PROBE, { ...place, cell: firstCell(row, PROBE) });
  }

  /** @param {Opened} answer @param {Question} question */
  show(answer, { args }) {
    const { subject } = this;
    if (!subject || String(args.ids) !== String(idsOf(this.#place.row))) return; // another row has been opened since
    const { settings: { model }, probe } = subject;
    this.#place = fit(this.#place, model);
    const place = this.#place;
    this.#opened = answer;
    this.#drawSizes(answer.sizes);
    this.fill({
      layers: choices("layer", model.n_layers),
      heads: choices("head", model.n_heads),
      run: nameOf(subject),
      maps: maps(answer, probe, place, this.#symbols()),
    });
    this.#check("layer", place.layer);
    this.#check("head", place.head);
    this.#drawCell();
    const known = String(asks(probe, place).args.index) === String(args.index);
    const part = this.get("[data-part=made]");
    if (known) this.fill({ made: made(answer, probe) });
    part.classList.toggle("pending", !known && !this.live);
    this.get(".detail").classList.remove("waiting");
  }

  /** Lengths of axes, wherever they stand. @param {Record<string, number>} sizes */
  #drawSizes(sizes) {
    for (const element of this.querySelectorAll("[data-axis]")) {
      write(element, String(sizes[/** @type {HTMLElement} */ (element).dataset.axis ?? ""]));
    }
    for (const element of this.querySelectorAll("[data-heads]")) write(element, headsInWords(sizes.H));
  }

  /** @param {"layer" | "head"} name @param {number} value */
  #check(name, value) {
    /** @type {HTMLInputElement} */ (this.get(`input[name=shape-${name}][value="${value}"]`)).checked = true;
  }

  /** Symbols by tensor, from the table. */
  #symbols() {
    const elements = /** @type {HTMLElement[]} */ ([...this.querySelectorAll("[data-symbol]")]);
    return Object.fromEntries(elements.map(({ dataset }) => [dataset.symbol, dataset.tex ?? ""]));
  }

  /** Tensor, layer, head and cell; a row is named by its first tensor, layers and heads count from 1 as on screen.
   * @override @returns {import("../../share/fields.js").Field[]} */
  fields() {
    const names = ["none", ...ROWS.map(([id]) => id)];
    const show = (/** @type {string} */ id) => this.#show(names.indexOf(id) - 1);
    const number = (/** @type {"layer" | "head"} */ name) => ({
      name,
      read: () => String(this.#place[name] + 1),
      parse: (/** @type {string} */ text) => whole(1, this.querySelectorAll(`[name=shape-${name}]`).length)(text),
      set: (/** @type {string} */ text) => {
        this.#place = { ...this.#place, [name]: Number(text) - 1 };
        this.refresh();
      },
    });
    const cell = {
      name: "cell",
      read: () => [this.#map, ...this.#place.cell].join(),
      parse: (/** @type {string} */ text) => this.#parseCell(text),
      set: (/** @type {string} */ text) => {
        const [map, i, j] = text.split(",").map(Number);
        this.#point(map, i, j);
      },
    };
    const tensor = { name: "tensor", read: () => names[(this.#place.row ?? -1) + 1], parse: oneOf(names), set: show };
    return [tensor, number("layer"), number("head"), cell];
  }

  follows = { cell: "tensor" };

  /** Which of the row's maps, row and column. @param {string} text @returns {import("../../share/fields.js").Parsed} */
  #parseCell(text) {
    const [map, i, j] = text.split(",").map(Number);
    if (![map, i, j].every(Number.isInteger)) return { why: "it is map, row and column, with commas between them" };
    const ids = idsOf(this.#place.row);
    const at = Math.max(0, Math.min(map, ids.length - 1));
    const length = (/** @type {string} */ axis) => Number(this.get(`[data-axis=${axis}]`).textContent);
    const model = {
      n_layers: Infinity, n_heads: length("d") / length("d_k"), d_model: length("d"), seq_len: length("T"),
    };
    const near = [at, ...fit({ ...this.#place, cell: [i, j] }, model).cell].join();
    return { text: near, ...(near === [map, i, j].join() ? {} : { why: "it lies within the tensors shown" }) };
  }

  /** Open a row, or close it. @param {HTMLTableRowElement} element */
  #open(element) {
    const row = Number(element.dataset.row);
    this.#show(this.#place.row === row ? -1 : row);
  }

  /** @param {number} chosen   a row, or -1 for none */
  #show(chosen) {
    const row = chosen < 0 ? null : chosen;
    this.#place = { ...this.#place, row, cell: firstCell(row, this.subject?.probe ?? PROBE) };
    this.#map = 0;
    for (const other of this.querySelectorAll("tr[data-row]")) {
      const open = row === Number(/** @type {HTMLElement} */ (other).dataset.row);
      other.classList.toggle("open", open);
      other.querySelector("button")?.setAttribute("aria-expanded", String(open));
    }
    const detail = this.get(".detail");
    detail.hidden = row === null;
    detail.classList.add("waiting"); // until the tensor is there
    if (row !== null) this.get(`tr[data-row="${row}"]`).after(detail);
    this.get("[data-choice=head]").hidden = !hasHeads(row);
    this.refresh();
  }

  /** @param {PointerEvent} event */
  #pointAt({ clientX, clientY, type, pressure, pointerType }) {
    // Browsers report a move when the page has moved under a mouse that rests: it does not point then.
    const rests = this.#pointer.x === clientX && this.#pointer.y === clientY;
    this.#pointer = { x: clientX, y: clientY };
    if (type === "pointermove" && (rests || (pointerType !== "mouse" && !pressure))) return;
    // Not the event's target: a finger's stays where it came down.
    const cell = document.elementFromPoint(clientX, clientY)?.closest(".points tbody td");
    if (!(cell instanceof HTMLTableCellElement) || !this.contains(cell)) return;
    const map = /** @type {HTMLElement} */ (cell.closest("[data-map]"));
    this.#point(Number(map.dataset.map), /** @type {HTMLTableRowElement} */ (cell.parentElement).sectionRowIndex, cell.cellIndex - 1);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const map = event.target instanceof Element ? event.target.closest("[data-map]") : null;
    const move = MOVES[event.key];
    if (!(map instanceof HTMLElement) || !move) return;
    event.preventDefault();
    const [i, j] = this.#place.cell;
    const rows = map.querySelectorAll(":scope tbody tr");
    const columns = rows[0].querySelectorAll("td").length;
    const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.max(0, Math.min(at, count - 1));
    this.#point(Number(map.dataset.map), within(i + move[0], rows.length), within(j + move[1], columns));
  }

  /** @param {number} map @param {number} i @param {number} j */
  #point(map, i, j) {
    const [row, column] = this.#place.cell;
    if (map === this.#map && i === row && j === column) return;
    this.#map = map;
    this.#place = { ...this.#place, cell: [i, j] };
    this.#drawCell();
    if (this.question().args.index) this.refresh(); // the value alone is on the page
    else this.settle();
  }

  /** Mark the cell and say its value. */
  #drawCell() {
    const [i, j] = this.#place.cell;
    this.get("td.pointed")?.classList.remove("pointed");
    const rows = this.querySelectorAll(`[data-map="${this.#map}"] tbody tr`);
    rows[i]?.querySelectorAll("td")[j]?.classList.add("pointed");
    const { subject } = this;
    const drawn = this.#opened && idsOf(this.#place.row).every((id) => id in (this.#opened?.tensors ?? {}));
    if (this.#opened && drawn && subject) this.fill({ cell: told(this.#opened, subject.probe, this.#place, this.#map) });
  }
}

/** @param {Element} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
