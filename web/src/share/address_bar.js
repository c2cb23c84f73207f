// The address bar: it follows the figure that the reader used last, once that has come to rest. Before the reader uses a
// figure, the address stays as it was opened.

/** Browsers refuse an address that changes more than some ten times a second. */
const LINK_MS = 300;

/** @type {unknown} */
let inUse = null;
let timer = 0;

/** The reader uses a figure; null: has gone elsewhere. @param {unknown} figure   whatever stands for it */
export function use(figure) {
  if (figure !== inUse) clearTimeout(timer);
  inUse = figure;
}

/** Write a figure's state, if it is in use. @param {unknown} figure
 * @param {string | null} link   as a fragment, "" for the default; null: the figure is not at rest */
export function follow(figure, link) {
  if (figure !== inUse) return;
  clearTimeout(timer);
  if (link === null) return;
  timer = window.setTimeout(() => {
    if (link === location.hash) return;
    // The name of a section stays, until there is a state to write in its place.
    if (!link && !location.hash.includes("=")) return;
    writeAddress(link);
  }, LINK_MS);
}

/** Put a fragment into the address, at once; "": none. @param {string} link */
export const writeAddress = (link) => history.replaceState(null, "", link || location.pathname + location.search);
