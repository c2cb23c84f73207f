// One attention matrix: a canvas with query tokens down the side and key tokens along the top, a cell at a time
// readable with pointer or arrow keys, and the same numbers as a table.
import { HeatmapTable } from "./heatmap_table.js";
import { css, inkOn, viridis } from "./viridis.js";

/**
 * @typedef {object} HeatmapData
 * @property {string} tokens                 letters on both axes
 * @property {ArrayLike<number>} values      T*T, row by row
 * @property {(query: number, key: number) => boolean} allowed   false: masked, drawn hatched
 */

/** Space for the axis letters, in cells. */
const AXIS = 0.62;
/** Width of a cell, in CSS pixels, from which its number is written into it. */
const LEGIBLE = 22;

export class Heatmap {
  /** @type {HeatmapData | null} */
  #data = null;
  /** @type {{query: number, key: number} | null} */
  #cell = null;
  /** Width in CSS pixels; asking the canvas while drawing would have the browser lay out the page in between. */
  #width = 0;
  /** What the canvas shows: the axes, and every cell; only what differs is drawn. */
  #axes = "";
  /** @type {string[]} */
  #shown = [];
  /** @type {{font: string, ink: string, hatch: string, cursor: string} | null} */
  #style = null;

  /**
   * @param {string} name   accessible name, such as "Layer 1, head 1"
   * @param {(text: string) => void} tell   receives the sentence about the cell under the pointer or cursor, or ""
   */
  constructor(name, tell) {
    this.name = name;
    this.tell = tell;
    this.element = document.createElement("div");
    this.element.className = "heatmap";
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", name);
    this.canvas.tabIndex = 0;
    this.table = new HeatmapTable(name);
    this.element.append(this.canvas, this.table.element);
    this.canvas.addEventListener("pointermove", (event) => this.#point(this.#cellAt(event)));
    this.canvas.addEventListener("pointerleave", () => this.#point(null));
    this.canvas.addEventListener("blur", () => this.#point(null));
    this.canvas.addEventListener("focus", () => this.#point(this.#cell ?? { query: 0, key: 0 }));
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(([entry]) => {
      this.#width = entry.contentRect.width;
      this.draw();
    }).observe(this.canvas);
  }

  /** @param {HeatmapData} data */
  update(data) {
    this.#data = data;
    this.#drawChanges();
    this.table.update(data);
    if (this.#cell) this.tell(this.#sentence(this.#cell));
  }

  /** Draw all of it again, for instance in the colours of another theme. */
  draw() {
    const style = getComputedStyle(this.canvas);
    const [ink, hatch, cursor] = ["--ink-soft", "--hatch", "--cursor"].map((name) => style.getPropertyValue(name));
    this.#style = { font: style.fontFamily, ink, hatch, cursor };
    this.#axes = "";
    this.#shown = [];
    this.#drawChanges();
  }

  #drawChanges() {
    const data = this.#data;
    const style = this.#style;
    const context = this.canvas.getContext("2d");
    if (!data || !style || !this.#width || !context) return;
    const { tokens } = data;
    const T = tokens.length;
    const ratio = window.devicePixelRatio || 1;
    const size = (this.#width * ratio) / (T + AXIS); // of a cell; from here on in the canvas's own pixels
    // On whole pixels: a cell can then be drawn over without a trace at its edges.
    const edge = (/** @type {number} */ i) => Math.round((AXIS + i) * size);
    const axes = `${tokens} ${this.#width * ratio}`;
    if (axes !== this.#axes) {
      this.#axes = axes;
      this.#drawAxes(context, style, tokens, size, edge(0), ratio);
      context.font = `${Math.min(13 * ratio, size * 0.3)}px ${style.font}`;
    }
    for (let query = 0; query < T; query++) {
      for (let key = 0; key < T; key++) {
        const box = { x: edge(key), y: edge(query), w: edge(key + 1) - edge(key), h: edge(query + 1) - edge(query) };
        this.#drawCell(context, style, box, ratio, query, key);
      }
    }
  }

  /**
   * The letters; on a canvas of another size, whatever it showed is gone.
   * @param {CanvasRenderingContext2D} context @param {{font: string, ink: string}} style @param {string} tokens
   * @param {number} size @param {number} margin @param {number} ratio
   */
  #drawAxes(context, style, tokens, size, margin, ratio) {
    const side = Math.round(this.#width * ratio);
    if (this.canvas.width !== side || this.#shown.length !== tokens.length ** 2) {
      this.canvas.width = this.canvas.height = side;
      this.#shown = [];
      context.textAlign = "center";
      context.textBaseline = "middle";
    }
    context.clearRect(0, 0, side, margin);
    context.clearRect(0, 0, margin, side);
    context.font = `600 ${Math.min(15 * ratio, size * 0.36)}px ${style.font}`;
    context.fillStyle = style.ink;
    for (let i = 0; i < tokens.length; i++) {
      context.fillText(tokens[i], (AXIS + i + 0.5) * size, (AXIS * size) / 2);
      context.fillText(tokens[i], (AXIS * size) / 2, (AXIS + i + 0.5) * size);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {{hatch: string, cursor: string}} style
   * @param {{x: number, y: number, w: number, h: number}} box @param {number} ratio
   * @param {number} query @param {number} key
   */
  #drawCell(context, style, box, ratio, query, key) {
    const { values, allowed, tokens } = /** @type {HeatmapData} */ (this.#data);
    const i = query * tokens.length + key;
    const colour = allowed(query, key) ? css(viridis(values[i])) : "";
    const text = colour && box.w >= LEGIBLE * ratio ? values[i].toFixed(2) : "";
    const pointed = this.#cell?.query === query && this.#cell.key === key;
    const shows = `${colour} ${text} ${pointed}`;
    if (this.#shown[i] === shows) return;
    this.#shown[i] = shows;
    const { x, y } = box;
    const [w, h] = [box.w - Math.round(ratio), box.h - Math.round(ratio)]; // a gap to the next cell
    context.clearRect(x, y, w, h);
    if (colour) {
      context.fillStyle = colour;
      context.fillRect(x, y, w, h);
      context.fillStyle = inkOn(values[i]);
      context.fillText(text, x + w / 2, y + h / 2);
    } else {
      hatch(context, x, y, w, h, ratio, style.hatch);
    }
    if (pointed) {
      context.strokeStyle = style.cursor;
      context.lineWidth = 3 * ratio;
      context.strokeRect(x + 1.5 * ratio, y + 1.5 * ratio, w - 3 * ratio, h - 3 * ratio);
    }
  }

  /** @param {{query: number, key: number}} cell */
  #sentence({ query, key }) {
    const { tokens, values, allowed } = /** @type {HeatmapData} */ (this.#data);
    const from = `${this.name}: query ${tokens[query]} (position ${query})`;
    const to = `key ${tokens[key]} (position ${key})`;
    if (!allowed(query, key)) return `${from} is not allowed to look at ${to}.`;
    return `${from} gives ${to} a weight of ${values[query * tokens.length + key].toFixed(3)}.`;
  }

  /** @param {{query: number, key: number} | null} cell */
  #point(cell) {
    if (!this.#data || (cell?.query === this.#cell?.query && cell?.key === this.#cell?.key)) return;
    this.#cell = cell;
    this.tell(cell ? this.#sentence(cell) : "");
    this.#drawChanges();
  }

  /** @param {PointerEvent} event */
  #cellAt(event) {
    if (!this.#data) return null;
    const T = this.#data.tokens.length;
    const size = this.#width / (T + AXIS);
    const query = Math.floor(event.offsetY / size - AXIS);
    const key = Math.floor(event.offsetX / size - AXIS);
    return query >= 0 && key >= 0 && query < T && key < T ? { query, key } : null;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!move || !this.#data) return;
    event.preventDefault();
    const last = this.#data.tokens.length - 1;
    const clamp = (/** @type {number} */ i) => Math.max(0, Math.min(last, i));
    const { query, key } = this.#cell ?? { query: 0, key: 0 };
    this.#point({ query: clamp(query + move[0]), key: clamp(key + move[1]) });
  }
}

/**
 * Not allowed, which is not zero.
 * @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {number} ratio @param {string} colour
 */
function hatch(context, x, y, w, h, ratio, colour) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = ratio;
  context.strokeRect(x + ratio / 2, y + ratio / 2, w - ratio, h - ratio);
  context.beginPath();
  for (let offset = -h; offset < w; offset += 6 * ratio) {
    context.moveTo(x + offset, y + h);
    context.lineTo(x + offset + h, y);
  }
  context.stroke();
  context.restore();
}
