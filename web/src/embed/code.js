// The code that a teacher pastes into a page.
import { asFragment } from "../share/link.js";

/** @typedef {import("../share/shareable.js").Texts} Texts */

/**
 * @typedef {object} Embedded
 * @property {string} figure   "trainer", or the tag of another figure
 * @property {string} title    for screen readers
 * @property {Texts} state     what differs from the default, as in links
 * @property {string} site     address of the site, ending in a slash
 * @property {number} height   in CSS pixels; of the frame that cannot follow its content
 */

/**
 * Address of a page with one figure and nothing else.
 * @param {Pick<Embedded, "figure" | "state" | "site">} embedded @param {Texts} [options]   see options.js
 */
export const embedAddress = ({ figure, state, site }, options = {}) =>
  `${site}embed.html?${new URLSearchParams({ figure, ...options })}${asFragment(state)}`;

/** One line for editors that accept nothing but a frame. Like the figure in it, it is light or dark with the reader's
 * system: otherwise browsers paint its ground black on a page that is light. @param {Embedded} embedded */
export const iframeCode = (embedded) =>
  `<iframe src="${escaped(embedAddress(embedded))}" title="${escaped(embedded.title)}" width="100%" ` +
  `height="${Math.ceil(embedded.height)}" style="border: 0; color-scheme: light dark" loading="lazy"></iframe>`;

/** The element, whose frame is as high as its content. @param {Embedded} embedded */
export function elementCode({ figure, title, state, site }) {
  const attributes = Object.entries({ figure, ...state, title });
  const written = attributes.map(([name, value]) => `${name}="${escaped(value)}"`).join(" ");
  return `<script type="module" src="${escaped(`${site}embed.js`)}"></script>\n<micro-transformer ${written}></micro-transformer>`;
}

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
