// What goes in and what comes out, position by position: a table with one column per position.
import { nats, percent } from "../trainer/sentences.js";

/** @typedef {import("../engine/protocol.js").Observation} Observation */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */
/** @typedef {import("../engine/protocol.js").Limit} Limit */

export class Positions {
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
      ["Probe", [...probe].map((letter) => token(letter))],
      ["Prediction", judged],
      ["Confidence", Array.from(confidence, (p) => percent(p))],
      ["Target", [...target].map((letter) => token(letter))],
      ["Accuracy", record.accuracy_per_position.map((a, i) => beside(percent(a, 1), percent(limit.accuracy_per_position[i], 1)))],
      ["CE", record.ce_per_position.map((ce, i) => beside(nats(ce), nats(limit.ce_per_position[i])))],
    ];
    const head = [...probe].map((_, i) => `<th scope="col">${i}</th>`).join("");
    const body = rows.map(
      ([name, cells]) =>
        `<tr data-row="${/** @type {string} */ (name).toLowerCase()}"><th scope="row">${name}</th>` +
        `${/** @type {string[]} */ (cells).map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
    );
    const html = `<thead><tr><th scope="row">Position</th>${head}</tr></thead><tbody>${body.join("")}</tbody>`;
    if (this.html !== html) this.table.innerHTML = this.html = html;
  }

  html = "";
}
