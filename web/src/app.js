// The page's entry: one custom element per figure.
import { ELEMENTS } from "./figures/elements.js";
import { followFigureLinks } from "./share/figure_links.js";
import { MicroTrainer } from "./trainer/element.js";

for (const [tag, element] of Object.entries(ELEMENTS)) customElements.define(tag, element);
customElements.define("micro-trainer", MicroTrainer);
followFigureLinks();

document.querySelector("[data-action=print]")?.addEventListener("click", () => print());
