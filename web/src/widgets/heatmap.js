// One attention matrix: a canvas with query tokens down the side and key tokens along the top, a cell at a time
// readable with pointer or arrow keys, and the same numbers as a table for those who do not see the canvas.
import { css, inkOn, viridis } from "./viridis.js";

/**
 * @typedef {object} HeatmapData
 * @property {string} tokens                 letters on both axes
 * @property {ArrayLike<number>} values      T*T, row by row
 * @property {(query: number, key: number) => boolean} allowed   false: masked, drawn hatched
 */

/** Space for the axis letters, in cells. */
const AXIS = 0.62;

export class Heatmap {
  /** @type {HeatmapData | null} */
  #data = null;
  /** @type {{query: number, key: number} | null} */
  #cell = null;
  #signature = "";

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
    this.table = document.createElement("table");
    const aside = document.createElement("div"); // around the table: a table does not shrink to nothing
    aside.className = "visually-hidden";
    aside.append(this.table);
    this.element.append(this.canvas, aside);
    this.canvas.addEventListener("pointermove", (event) => this.#point(this.#cellAt(event)));
    this.canvas.addEventListener("pointerleave", () => this.#point(null));
    this.canvas.addEventListener("blur", () => this.#point(null));
    this.canvas.addEventListener("focus", () => this.#point(this.#cell ?? { query: 0, key: 0 }));
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** @param {HeatmapData} data */
  update(data) {
    this.#data = data;
    const signature = `${data.tokens} ${Array.from(data.values, (v) => v.toFixed(4)).join()} ${data.allowed(0, 1)}`;
    if (signature === this.#signature) return;
    this.#signature = signature;
    this.draw();
    this.#fillTable(data);
    if (this.#cell) this.tell(this.#sentence(this.#cell));
  }

  /** Draw again, for instance in the colours of another theme. */
  draw() {
    const data = this.#data;
    const width = this.canvas.clientWidth;
    const context = this.canvas.getContext("2d");
    if (!data || !width || !context) return;
    const T = data.tokens.length;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = this.canvas.height = Math.round(width * ratio);
    context.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const size = width / (T + AXIS);
    const origin = size * AXIS;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${Math.min(15, size * 0.36)}px ${style.fontFamily}`;
    context.fillStyle = style.getPropertyValue("--ink-soft");
    for (let i = 0; i < T; i++) {
      context.fillText(data.tokens[i], origin + (i + 0.5) * size, origin / 2);
      context.fillText(data.tokens[i], origin / 2, origin + (i + 0.5) * size);
    }
    context.font = `${Math.min(13, size * 0.3)}px ${style.fontFamily}`;
    for (let query = 0; query < T; query++) {
      for (let key = 0; key < T; key++) {
        this.#drawCell(context, style, origin + key * size, origin + query * size, size - 1, query, key);
      }
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {CSSStyleDeclaration} style
   * @param {number} x @param {number} y @param {number} size @param {number} query @param {number} key
   */
  #drawCell(context, style, x, y, size, query, key) {
    const data = /** @type {HeatmapData} */ (this.#data);
    const value = data.values[query * data.tokens.length + key];
    if (data.allowed(query, key)) {
      context.fillStyle = css(viridis(value));
      context.fillRect(x, y, size, size);
      context.fillStyle = inkOn(value);
      context.fillText(value.toFixed(2), x + size / 2, y + size / 2);
    } else {
      hatch(context, x, y, size, style.getPropertyValue("--hatch"));
    }
    if (this.#cell?.query === query && this.#cell.key === key) {
      context.strokeStyle = style.getPropertyValue("--cursor");
      context.lineWidth = 3;
      context.strokeRect(x + 1.5, y + 1.5, size - 3, size - 3);
    }
  }

  /** @param {HeatmapData} data */
  #fillTable({ tokens, values, allowed }) {
    const letters = [...tokens];
    const head = `<caption>${this.name}</caption><thead><tr><th scope="col">query \\ key</th>${letters
      .map((token, i) => `<th scope="col">${token} at ${i}</th>`)
      .join("")}</tr></thead>`;
    const rows = letters.map((token, query) => {
      const cells = letters.map((_, key) =>
        allowed(query, key) ? `<td>${values[query * tokens.length + key].toFixed(3)}</td>` : "<td>not allowed</td>",
      );
      return `<tr><th scope="row">${token} at ${query}</th>${cells.join("")}</tr>`;
    });
    this.table.innerHTML = `${head}<tbody>${rows.join("")}</tbody>`;
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
    this.draw();
  }

  /** @param {PointerEvent} event */
  #cellAt(event) {
    if (!this.#data) return null;
    const T = this.#data.tokens.length;
    const size = this.canvas.clientWidth / (T + AXIS);
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
 * @param {CanvasRenderingContext2D} context
 * @param {number} x @param {number} y @param {number} size @param {string} colour
 */
function hatch(context, x, y, size, colour) {
  context.save();
  context.beginPath();
  context.rect(x, y, size, size);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
  context.beginPath();
  for (let offset = -size; offset < size; offset += 6) {
    context.moveTo(x + offset, y + size);
    context.lineTo(x + offset + size, y);
  }
  context.stroke();
  context.restore();
}
