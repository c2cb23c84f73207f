// What goes in and what comes out, position by position: a table with one column per position.
import { nats, percent } from "../trainer/sentences.js";

/** @typedef {import("../engine/protocol.js").Observation} Observation */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */
/** @typedef {import("../engine/protocol.js").Limit} Limit */

const ROWS = ["Probe", "Prediction", "Confidence", "Target", "Accuracy", "CE"];

export class Positions {
  /** @type {{element: HTMLTableCellElement, html: string}[]} row by row */
  #cells = [];

  /** @param {HTMLTableElement} table */
  constructor(table) {
    this.table = table;
  }

  /**
   * @param {string} probe @param {Observation} observation
   * @param {EpochRecord} record @param {Limit} limit
   */
  update(probe, observation, record, limit) {
    const { prediction, target, confidence } = observation;
    const token = (/** @type {string} */ letter, kind = "") => `<span class="token ${kind}">${letter}</span>`;
    const judged = [...prediction].map((letter, i) =>
      letter === target[i]
        ? `${token(letter, "right")}<span class="visually-hidden"> right</span>`
        : `${token(letter, "wrong")}<span class="visually-hidden"> wrong</span>`,
    );
    const beside = (/** @type {string} */ value, /** @type {string} */ best) =>
      `${value}<span class="limit">${best}</span>`;
    const rows = [
      [...probe].map((letter) => token(letter)),
      judged,
      Array.from(confidence, (p) => percent(p)),
      [...target].map((letter) => token(letter)),
      record.accuracy_per_position.map((a, i) => beside(percent(a, 1), percent(limit.accuracy_per_position[i], 1))),
      record.ce_per_position.map((ce, i) => beside(nats(ce), nats(limit.ce_per_position[i]))),
    ];
    if (this.#cells.length !== ROWS.length * probe.length) this.#build(probe.length);
    rows.flat().forEach((html, i) => {
      const cell = this.#cells[i];
      if (cell.html !== html) cell.element.innerHTML = cell.html = html;
    });
  }

  /** @param {number} length   letters of a probe */
  #build(length) {
    const head = Array.from({ length }, (_, i) => `<th scope="col">${i}</th>`).join("");
    const body = ROWS.map((name) => `<tr data-row="${name.toLowerCase()}"><th scope="row">${name}</th></tr>`).join("");
    this.table.innerHTML = `<thead><tr><th scope="row">Position</th>${head}</tr></thead><tbody>${body}</tbody>`;
    this.#cells = [...this.table.tBodies[0].rows].flatMap((row) =>
      Array.from({ length }, () => ({ element: row.insertCell(), html: "" })),
    );
  }
}
