// The attention of one run: a heatmap per layer and head, layers below each other, heads side by side.
import { Heatmap } from "../widgets/heatmap.js";
import { pattern, percent, shareOn } from "./sentences.js";

/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {import("../engine/protocol.js").Observation} Observation */

/** Name and numbers of every head's map. @param {RunFacts} facts @param {{probe: string, observation: Observation}} shown
 * @returns {{name: string, data: import("../widgets/heatmap.js").HeatmapData}[]} */
export function headsOf({ model, train }, { probe, observation }) {
  const { n_layers: L, n_heads: H, seq_len: T } = model;
  const allowed = train.mask === "causal" ? (/** @type {number} */ q, /** @type {number} */ k) => k <= q : () => true;
  return Array.from({ length: L * H }, (_, head) => ({
    name: nameOf(head, H),
    data: {
      tokens: probe,
      values: Array.prototype.slice.call(observation.attention, head * T * T, (head + 1) * T * T),
      allowed,
    },
  }));
}

/** @param {number} head   counted over layers @param {number} H */
const nameOf = (head, H) => `Layer ${Math.floor(head / H) + 1}, head ${(head % H) + 1}`;

export class Maps {
  /** @type {{heatmap: Heatmap, measure: HTMLElement}[]} */
  #maps = [];
  #shape = "";

  /**
   * @param {HTMLElement} grid
   * @param {string} prefix   of the maps' accessible names, such as "Kept run: "
   * @param {(text: string) => void} tell   receives the sentence about the cell under the pointer or cursor
   */
  constructor(grid, prefix, tell) {
    this.grid = grid;
    this.prefix = prefix;
    this.tell = tell;
  }

  /** @param {RunFacts} facts @param {{probe: string, observation: Observation}} shown */
  update(facts, shown) {
    const { n_layers: L, n_heads: H, seq_len: T } = facts.model;
    if (this.#shape !== `${L} ${H}`) this.#build(L, H);
    const { observation } = shown;
    const heads = headsOf(facts, shown);
    const singled = pattern(facts.train.task, T);
    this.#maps.forEach(({ heatmap, measure }, head) => {
      heatmap.update(heads[head].data);
      const share = singled && percent(shareOn(observation.attention, head, T, singled.key));
      const text = singled ? `${singled.sign} ${share}` : "";
      if (measure.textContent !== text) measure.textContent = text;
    });
  }

  /** In the colours of another theme. */
  redraw() {
    for (const { heatmap } of this.#maps) heatmap.draw();
  }

  /** @param {number} L @param {number} H */
  #build(L, H) {
    this.#shape = `${L} ${H}`;
    this.grid.replaceChildren();
    // Sizes follow from these two: see trainer.css.
    this.grid.style.setProperty("--layers", String(L));
    this.grid.style.setProperty("--heads", String(H));
    this.#maps = Array.from({ length: L * H }, (_, i) => {
      const name = nameOf(i, H);
      const heatmap = new Heatmap(this.prefix + name, this.tell);
      const figure = document.createElement("figure");
      const measure = document.createElement("span");
      measure.className = "measure";
      const caption = document.createElement("figcaption");
      caption.append(Object.assign(document.createElement("b"), { textContent: name }), measure);
      figure.append(caption, heatmap.element);
      this.grid.append(figure);
      return { heatmap, measure };
    });
  }
}
