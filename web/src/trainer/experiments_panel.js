// The experiments, on the page: a question, the reader's expectation, and what came of it.
import { leadTo } from "../share/link.js";
import { DEFAULTS } from "../state.js";
import { ExperimentRun } from "./experiment_run.js";
import { inWords } from "./differences.js";
import { option } from "./template.js";

/** @typedef {import("./experiments.js").Experiment} Experiment */
/** @typedef {import("./controller.js").TrainerController} TrainerController */

export class ExperimentsPanel {
  /** What is written on the page. @type {Record<string, string>} */
  #written = {};

  /**
   * @param {HTMLElement} figure @param {string} id   prefix of the names of its radios
   * @param {TrainerController} controller @param {() => void} changed
   */
  constructor(figure, id, controller, changed) {
    this.figure = figure;
    this.details = /** @type {HTMLDetailsElement} */ (figure.querySelector(".experiments"));
    this.id = id;
    this.controller = controller;
    this.experiment = new ExperimentRun(controller);
    this.details.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.name === `${id}-experiment`) this.experiment.choose(target.value);
      if (target.name === `${id}-answer`) this.experiment.expected = Number(target.value);
      changed();
    });
  }

  /** Show an experiment that a link names; one that does not exist changes nothing.
   * @param {string} id @param {number | null} [answer]   the reader's */
  open(id, answer) {
    if (!this.experiment.choose(id)) return;
    if (answer !== undefined) this.experiment.expected = answer;
    this.details.open = true;
    leadTo(this.figure);
  }

  /** What a link carries of it. @returns {Pick<import("../state.js").State, "experiment" | "answer" | "outcome">} */
  get state() {
    const { chosen, expected, phase } = this.experiment;
    if (!chosen || !this.details.open) return { experiment: "", answer: null, outcome: false };
    return { experiment: chosen.id, answer: expected, outcome: phase === "done" };
  }

  run() {
    this.experiment.run();
  }

  draw() {
    const { chosen, expected, phase } = this.experiment;
    this.figure.dataset.experiment = chosen ? `${chosen.id}-${phase}` : "";
    if (!chosen) return;
    this.#get(".experiment").hidden = false;
    for (const radio of this.#radios("experiment")) radio.checked = radio.value === chosen.id;
    this.#write(".sets", sets(chosen));
    this.#write(".question", maths(chosen.question));
    const answers = chosen.answers.map((text, i) => option(`${this.id}-answer`, String(i), text));
    this.#write("[data-options=answer]", answers.join(""));
    for (const radio of this.#radios("answer")) radio.checked = Number(radio.value) === expected;
    this.#write(".outcome", this.#outcome(chosen));
  }

  /** @param {Experiment} chosen */
  #outcome(chosen) {
    const { expected, phase, against } = this.experiment;
    const { run, shown } = this.controller;
    if (phase === "compare") return "<p>The run to compare with is trained first; the experiment’s own follows.</p>";
    if (phase === "keep" || phase === "run") return "<p>What to see appears here when the run has ended.</p>";
    if (phase !== "done" || !run || !shown) return "";
    const outcome = { run, against: chosen.compare ? against : null, shown };
    const came = chosen.answer(outcome);
    const happened = came < 0 ? "None of the answers fits this run." : `What happened: ${lower(chosen.answers[came])}.`;
    const yours = expected === came ? "that" : `“${lower(chosen.answers[expected ?? 0])}”`;
    const verdict = expected === null ? "" : ` You expected ${yours}.`;
    return `<p>${happened}${verdict}</p><p><b>What to see:</b> ${maths(`${chosen.see(outcome)} ${chosen.why}`)}</p>`;
  }

  /** @param {string} name @returns {NodeListOf<HTMLInputElement>} */
  #radios(name) {
    return this.details.querySelectorAll(`[data-options=${name}] input`);
  }

  /** @param {string} selector */
  #get(selector) {
    return /** @type {HTMLElement} */ (this.details.querySelector(selector));
  }

  /** @param {string} selector @param {string} html   from this site's own texts and numbers */
  #write(selector, html) {
    if (this.#written[selector] === html) return;
    this.#written[selector] = html;
    this.#get(selector).innerHTML = html;
  }
}

/** @param {string} text */
const lower = (text) => text[0].toLowerCase() + text.slice(1);

/** Symbols such as W_Q and d_k, set as in the article. @param {string} text */
const maths = (text) => text.replace(/\b(\w)_(\w)\b/g, "<i>$1<sub>$2</sub></i>");

/** What an experiment sets, in a sentence. @param {Experiment} experiment */
function sets({ settings, compare }) {
  const names = (/** @type {Experiment["settings"]} */ given) => inWords({ ...DEFAULTS, ...given }, ["task"]);
  return `Run: ${names(settings)}. ${compare ? `Compared with: ${names(compare)}. ` : ""}All else at its default.`;
}
