// Links: the fragment of an address that carries a state.

/** @typedef {import("./shareable.js").Texts} Texts */

/** Bring the figure of a link on screen; one that is embedded must not move the page around it. @param {Element} figure */
export function leadTo(figure) {
  if (!document.documentElement.dataset.only) figure.scrollIntoView();
}

/** "#task=sort&epoch=3", or "" for no state. @param {Texts} state */
export function asFragment(state) {
  const parts = Object.entries(state).map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",")}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Links copied from the source of a page have "&amp;". @param {string} fragment @returns {Texts} */
export const inFragment = (fragment) => Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, "").replace(/&amp;/g, "&")));

/** The tag of the figure that a fragment is about, or null: then it is about the trainer, or names a place.
 * @param {string} fragment */
export function figureIn(fragment) {
  const { figure } = inFragment(fragment);
  return figure && figure !== "trainer" ? figure : null;
}
