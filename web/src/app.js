// The page's entry: one custom element per figure.
import { ELEMENTS } from "./figures/elements.js";
import { pictureOf } from "./figures/picture.js";
import { TITLES } from "./figures/titles.js";
import { followFigureLinks } from "./share/figure_links.js";
import { addTools } from "./share/tools.js";
import { MicroTrainer } from "./trainer/element.js";

for (const [tag, element] of Object.entries(ELEMENTS)) customElements.define(tag, element);
customElements.define("micro-trainer", MicroTrainer);
followFigureLinks();

// The one figure that has no script of its own.
const diagram = /** @type {HTMLElement | null} */ (document.querySelector("block-diagram"));
const place = /** @type {HTMLElement | null} */ (diagram?.querySelector(".tools") ?? null);
if (diagram && place) {
  addTools(place, {
    title: TITLES["block-diagram"],
    fragment: () => `#${diagram.closest("figure")?.id ?? ""}`,
    name: "block-diagram",
    state: () => ({}),
    pictures: () => [pictureOf(diagram, "")],
  });
}

document.querySelector("[data-action=print]")?.addEventListener("click", () => print());
