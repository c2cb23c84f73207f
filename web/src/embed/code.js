// The code that a teacher pastes into a page.
import { expectedHeight } from "./heights.js";
import { asFragment } from "../share/link.js";

/** @typedef {import("../share/shareable.js").Texts} Texts */

/**
 * @typedef {object} Embedded
 * @property {string} figure   "trainer", or the tag of another figure
 * @property {string} title    for screen readers
 * @property {Texts} state     what differs from the default, as in links
 * @property {string} site     address of the site, ending in a slash
 * @property {number} height   in CSS pixels, where the code is copied; of the frame that cannot follow its content
 */

/** Widths in CSS pixels: of a column of text elsewhere, and of a phone. In both, the frame should be high enough. */
const COLUMN = 700;
const PHONE = 390;
/** Sentences that are longer than the ones at first take more room on a phone. */
const SPARE = 1.1;

/**
 * Address of a page with one figure and nothing else.
 * @param {Pick<Embedded, "figure" | "state" | "site">} embedded @param {Texts} [options]   see options.js
 */
export const embedAddress = ({ figure, state, site }, options = {}) =>
  `${site}embed.html?${new URLSearchParams({ figure, ...options })}${asFragment(state)}`;

/** One line for editors that accept nothing but a frame. Like the figure in it, it is light or dark with the reader's
 * system: otherwise browsers paint its ground black on a page that is light. @param {Embedded} embedded */
export function iframeCode(embedded) {
  const { figure, title } = embedded;
  const height = Math.ceil(Math.max(embedded.height, expectedHeight(figure, COLUMN)));
  const onPhone = Math.ceil(SPARE * expectedHeight(figure, PHONE));
  const style = `border: 0; min-height: calc(${onPhone + PHONE}px - 100vw); color-scheme: light dark`;
  return (
    `<iframe src="${escaped(embedAddress(embedded))}" title="${escaped(title)}" width="100%" height="${height}" ` +
    `style="${style}" loading="lazy"></iframe>`
  );
}

/** The element, whose frame is as high as its content. @param {Embedded} embedded */
export function elementCode({ figure, title, state, site }) {
  const attributes = Object.entries({ figure, ...state, title });
  const written = attributes.map(([name, value]) => `${name}="${escaped(value)}"`).join(" ");
  return `<script type="module" src="${escaped(`${site}embed.js`)}"></script>\n<micro-transformer ${written}></micro-transformer>`;
}

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
