// Links to figures: "#figure=score-spread&d_k=64" opens the article at that figure, in that state. On a page with
// nothing but one figure, its state is the whole fragment. (Links to the trainer have no `figure`; see
// trainer/address.js.)
import { ELEMENTS } from "../figures/elements.js";
import { Figure } from "../figures/figure.js";
import { follow, use } from "./address_bar.js";
import { asFragment, figureIn, inFragment, leadTo } from "./link.js";

/** The fragment of a link to a figure and its state. @param {Figure} figure */
function linkTo(figure) {
  const state = figure.changed();
  return asFragment(isAlone(figure) ? state : { figure: figure.localName, ...state });
}

/** Open what the address says, now and when it changes, and keep the address true to the figure in use. */
export function followFigureLinks() {
  openAddress();
  window.addEventListener("hashchange", openAddress);
  document.addEventListener("figure-state", ({ target }) => {
    if (target instanceof Figure) follow(target, linkTo(target));
  });
  for (const type of ["input", "change", "click", "pointerdown", "keydown"]) {
    const used = (/** @type {Event} */ { target }) => {
      const figure = target instanceof Element ? target.closest(TAGS) : null;
      if (figure instanceof Figure && !figure.shared.opening) use(figure);
    };
    document.addEventListener(type, used, { capture: true });
  }
}

const TAGS = Object.keys(ELEMENTS).join();

/** @param {Element} figure */
const isAlone = (figure) => document.documentElement.dataset.only === figure.localName;

function openAddress() {
  const { only } = document.documentElement.dataset;
  const given = inFragment(location.hash);
  const name = only ?? figureIn(location.hash);
  if (!name || !(name in ELEMENTS)) return;
  const figure = document.querySelector(name);
  if (!figure) return;
  use(null);
  if (figure instanceof Figure) figure.shared.openLink(given);
  leadTo(figure.closest("figure") ?? figure);
}
