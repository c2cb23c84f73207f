// The page's entry: one custom element per figure.
import { ELEMENTS } from "./figures/elements.js";
import { RunFigure } from "./figures/run_figure.js";
import { followFigureLinks } from "./share/figure_links.js";
import { MicroTrainer } from "./trainer/element.js";

for (const [tag, element] of Object.entries(ELEMENTS)) customElements.define(tag, element);
customElements.define("micro-trainer", MicroTrainer);
followFigureLinks();

document.querySelector("[data-action=print]")?.addEventListener("click", async () => {
  // Figures that nobody sees lag behind the run on screen; on paper all are seen.
  const figures = [...document.querySelectorAll(Object.keys(ELEMENTS).join())];
  await Promise.all(figures.map((figure) => figure instanceof RunFigure && figure.catchUp()));
  print();
});
