// What every figure of the article but the trainer has in common: it comes to the page finished, as HTML made when the
// site was built, with the answers that it shows; it asks the live engine once that runs.
//
// The reader changes a control; the figure says which question its state poses; the answer is drawn, from the engine or
// from what was recorded. Until the engine runs, a question without a recorded answer shows the nearest one that has it.
import { sharedEngine } from "../engine/shared.js";
import { fieldsOf } from "../share/fields.js";
import { FigureState } from "../share/figure_state.js";
import { asFragment } from "../share/link.js";
import { addTools } from "../share/tools.js";
import { setText } from "../widgets/text.js";
import { pictureOf } from "./picture.js";
import { savesData } from "../trainer/interest.js";
import { keyOf } from "./questions.js";
import { loadRecording } from "./recording.js";
import { sourceLine } from "./source.js";
import { TITLES } from "./titles.js";

/** @typedef {import("./questions.js").Question} Question */
/** @typedef {import("../share/shareable.js").Texts} Texts */
/** @typedef {import("../share/fields.js").Field} Field */

export class Figure extends HTMLElement {
  engine = sharedEngine();
  shared = new FigureState(this);
  #stale = false;
  /** Settles when nothing is left to ask; null: nothing is. @type {Promise<void> | null} */
  #asking = null;
  #connected = false;

  /** @type {WeakMap<Element, string>} */
  #filled = new WeakMap();

  /** The question that the controls pose now. @returns {Question} */
  question() {
    throw new Error("A figure must say what it asks.");
  }

  /** One that has a recorded answer, as near to `question` as there is. @param {Question} question @returns {Question} */
  nearest(question) {
    return question;
  }

  /** Draw an answer. @param {any} answer @param {Question} question */
  show(answer, question) {
    throw new Error(`${question.name} was answered, and nothing draws it: ${typeof answer}.`);
  }

  /** Listen to the controls; the static form is in the element. */
  connect() {}

  /** The parts of the state: those of the controls, and whatever else a figure adds. @returns {Field[]} */
  fields() {
    return fieldsOf(this);
  }

  /** Parts that are set along with another, by name: see share/figure_state.js. @type {Texts} */
  follows = {};

  /** For a picture, which has no caption: what the figure leaves to its caption. */
  legend = "";

  /** See share/shareable.js for this and the following. */
  read() {
    return this.shared.read();
  }

  changed() {
    return this.shared.changed();
  }

  /** @param {Texts} given */
  open(given) {
    return this.shared.open(given);
  }

  /** @param {string} _action */
  act(_action) {
    return false;
  }

  async connectedCallback() {
    if (this.#connected) return;
    this.#connected = true;
    if (!this.firstElementChild) this.innerHTML = (await this.recording()).html;
    this.engine.watch(() => this.#engineChanged());
    this.#loadOnInterest();
    this.dataset.source = "recorded";
    this.connect();
    for (const type of ["input", "change"]) this.addEventListener(type, () => this.settle());
    this.shared.begin();
    addTools(this.get(".tools"), {
      title: TITLES[this.localName],
      fragment: () => asFragment({ figure: this.localName, ...this.changed() }),
      name: this.localName,
      state: () => this.changed(),
      pictures: () => [pictureOf(this, this.shared.inWords() || this.legend, this.changed())],
    });
    this.#engineChanged();
  }

  /** @template {Element} [E=HTMLElement] @param {string} selector @returns {E} */
  get(selector) {
    return /** @type {E} */ (this.querySelector(selector));
  }

  /** Fill the parts of the figure that are named by `data-part`; a part that stays the same is not touched.
   * @param {Record<string, string>} parts   HTML by name */
  fill(parts) {
    for (const [name, html] of Object.entries(parts)) {
      const part = this.get(`[data-part=${name}]`);
      if (this.#filled.get(part) === html) continue;
      this.#filled.set(part, html);
      part.innerHTML = html;
    }
  }

  /** Ask what the controls pose and draw the answer; of several calls before an answer, the last counts. */
  refresh() {
    this.#stale = true;
    return (this.#asking ??= this.#ask());
  }

  async #ask() {
    try {
      while (this.#stale) {
        this.#stale = false;
        await this.#answer(this.question());
      }
    } finally {
      this.#asking = null;
    }
    this.settle();
  }

  /** The state may have changed. @protected */
  settle() {
    if (!this.#asking) this.shared.settle();
  }

  /** @param {Question} question */
  async #answer(question) {
    try {
      const live = await this.ask(question);
      if (live === null) return;
      if (live !== undefined) return this.#draw(live, question, "live");
      const { answers } = await this.recording();
      const known = keyOf(question) in answers;
      if (!known) this.engine.load();
      const instead = known ? question : this.nearest(question);
      this.#draw(answers[keyOf(instead)], instead, "recorded");
    } catch (error) {
      this.dataset.answered = "";
      this.tell(error);
    }
  }

  /** Say what went wrong, where the numbers' source is told. @param {unknown} error */
  tell(error) {
    this.get(".source").textContent = error instanceof Error ? error.message : String(error);
  }

  /** The engine's answer; undefined as long as it cannot give one; null when what is drawn has to stay for the moment.
   * @param {Question} question @returns {Promise<any>} */
  async ask({ name, args }) {
    return this.engine.state === "live" ? this.engine.api.ask(name, args) : undefined;
  }

  /** @param {any} answer @param {Question} question @param {"live" | "recorded"} source */
  #draw(answer, question, source) {
    this.show(answer, question);
    Object.assign(this.dataset, { source, answered: keyOf(question) });
    this.#drawSource();
  }

  /** Answers recorded when the site was built. */
  recording() {
    return loadRecording(this.localName);
  }

  /** Have the engine ready when the reader comes to the controls. A page that is only read downloads nothing, and for a
   * reader who saves data only a question without a recorded answer starts it. */
  #loadOnInterest() {
    if (savesData()) return;
    for (const type of ["pointerenter", "focusin"]) {
      this.addEventListener(type, () => this.engine.load(), { once: true, passive: true });
    }
  }

  #engineChanged() {
    const { state } = this.engine;
    if (state === "live" && this.dataset.engine !== "live") this.refresh();
    this.dataset.engine = state;
    this.#drawSource();
  }

  /** One line that says where the numbers on screen come from. */
  #drawSource() {
    const asked = this.question();
    const { answered, source } = this.dataset;
    const exact = !answered || answered === keyOf(asked);
    const text = sourceLine(this.engine, source === "live" ? "live" : "recorded", exact, asked.name);
    setText(this.get(".source"), text);
  }
}
