// <attention-lookup>: choose a token, see what it looks up.
import { Figure } from "../figure.js";
import { parts } from "./view.js";

export class AttentionLookup extends Figure {
  connect() {
    this.addEventListener("change", () => this.refresh());
  }

  question() {
    const chosen = /** @type {HTMLInputElement} */ (this.get("input:checked"));
    return { name: "lookup", args: { token: Number(chosen.value) } };
  }

  /** @param {import("./view.js").Lookup} answer */
  show(answer) {
    this.fill(parts(answer));
  }
}
