// <attention-lookup>: choose a token, turn its query, and see stage by stage what it looks up.
import { Figure } from "../figure.js";
import { LARGEST, STEP, asks, nearestRecorded } from "./asks.js";
import { fromPlane } from "./plane.js";
import { KEYS } from "./planes.js";
import { parts } from "./view.js";

export class AttentionLookup extends Figure {
  /** What the token asks, as far as the boxes hold numbers. @type {number[]} */
  #query = [];

  follows = { q: "token" };

  connect() {
    this.#query = this.#own();
    this.addEventListener("input", (event) => this.#changed(/** @type {HTMLInputElement} */ (event.target)));
    this.addEventListener("change", () => this.#write()); // a box that holds no number shows what counts
    this.get("button.own").addEventListener("click", () => this.#ask(this.#own()));
    this.#drag(this.get("[data-part=keys]"));
  }

  question() {
    const token = Number(this.#chosen().value);
    const own = this.#own().every((value, i) => value === this.#query[i]);
    return asks(token, own || !this.#query.length ? undefined : this.#query);
  }

  /** @param {import("../questions.js").Question} question */
  nearest(question) {
    return nearestRecorded(question);
  }

  /** @param {import("./view.js").Lookup} answer */
  show(answer) {
    this.fill(parts(answer));
  }

  #chosen() {
    return /** @type {HTMLInputElement} */ (this.get("[name=lookup-token]:checked"));
  }

  /** The query of the chosen token. */
  #own() {
    return (this.#chosen().dataset.query ?? "").split(",").map(Number);
  }

  /** @returns {HTMLInputElement[]} */
  #boxes() {
    return [...this.querySelectorAll("input.q")].map((box) => /** @type {HTMLInputElement} */ (box));
  }

  /** @param {HTMLInputElement} control */
  #changed(control) {
    if (control.name === "lookup-stage") this.dataset.stage = control.value;
    else if (control.name === "lookup-token") this.#ask(this.#own());
    else {
      const typed = this.#boxes().map((box) => box.valueAsNumber);
      if (typed.some((value) => !(Math.abs(value) <= LARGEST))) return;
      this.#query = typed;
      this.refresh();
    }
  }

  /** @param {number[]} query */
  #ask(query) {
    this.#query = query;
    this.#write();
    this.refresh();
  }

  #write() {
    this.#boxes().forEach((box, i) => (box.value = String(this.#query[i])));
  }

  /** The tip of the query's arrow follows the pointer. The plane listens, since the arrow is drawn anew as it moves.
   * @param {HTMLElement} plane */
  #drag(plane) {
    plane.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || !(/** @type {Element} */ (event.target).closest(".handle"))) return;
      plane.setPointerCapture(event.pointerId);
      event.preventDefault(); // selects no text
    });
    plane.addEventListener("pointermove", (event) => {
      if (!plane.hasPointerCapture(event.pointerId)) return;
      const svg = /** @type {SVGSVGElement} */ (plane.firstElementChild);
      const box = svg.getBoundingClientRect();
      const point = fromPlane(KEYS, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
      const query = point.map((value) => Math.round(clamp(value) / STEP) * STEP || 0); // || 0: no -0
      if (query.some((value, i) => value !== this.#query[i])) this.#ask(query);
    });
  }
}

/** @param {number} value */
const clamp = (value) => Math.min(LARGEST, Math.max(-LARGEST, value));
