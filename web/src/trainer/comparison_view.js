// The kept run beside the one on screen: what differs, its scores at the same epoch, its maps.
import { differences } from "./differences.js";
import { Maps } from "./maps.js";
import { nats, percent } from "./sentences.js";

/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */

const MANY_HEADS = 4;

export class ComparisonView {
  /** @param {HTMLElement} pair   the element around both grids @param {(text: string) => void} tell */
  constructor(pair, tell) {
    const get = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (pair.querySelector(selector));
    this.pair = pair;
    this.now = get(".now");
    this.kept = get(".kept");
    this.text = get(".kept .which span");
    this.gap = get(".gap");
    this.grid = get(".kept .grid");
    this.maps = new Maps(this.grid, "Kept run: ", tell);
  }

  /** @param {import("./controller.js").TrainerController} view */
  draw({ run, record, comparison }) {
    const { run: kept, record: keptRecord, shown } = comparison;
    this.now.hidden = this.kept.hidden = !kept;
    // Maps of four heads would be too small to stand beside others: then they stand below.
    const heads = Math.max(run?.facts.model.n_heads ?? 0, kept?.facts.model.n_heads ?? 0);
    this.pair.classList.toggle("beside", kept !== null && heads < MANY_HEADS);
    if (!kept || !run || !record || !keptRecord) return;
    write(this.now, `This run: ${differences(run.facts, kept.facts)}. ${scores(record)}`);
    write(this.text, `Kept run: ${differences(kept.facts, run.facts)}. ${scores(keptRecord)}`);
    write(this.gap, comparison.gap);
    this.grid.hidden = !shown;
    if (shown) this.maps.update(kept.facts, shown);
  }
}

/** @param {EpochRecord} record */
const scores = ({ epoch, ce, accuracy }) => `Epoch ${epoch}: CE ${nats(ce)} nats, accuracy ${percent(accuracy, 1)}.`;

/** @param {HTMLElement} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
