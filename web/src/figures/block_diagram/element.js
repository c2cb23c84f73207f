// <block-diagram>: a picture that asks nothing. What it has from a script is the row of tools.
import { addTools } from "../../share/tools.js";
import { pictureOf } from "../picture.js";
import { TITLES } from "../titles.js";

export class BlockDiagram extends HTMLElement {
  connectedCallback() {
    addTools(/** @type {HTMLElement} */ (this.querySelector(".tools")), {
      title: TITLES[this.localName],
      fragment: () => `#${this.closest("figure")?.id || "figure-block"}`,
      name: this.localName,
      state: () => ({}),
      pictures: () => [pictureOf(this, "", {})],
    });
  }
}
