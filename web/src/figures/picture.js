// A figure of the article as a picture that can be saved.
import { elementPicture } from "../pictures/element_svg.js";
import { siteName } from "../share/site.js";
import { TITLES } from "./titles.js";

/** Characters of a file's name. */
const LONGEST = 80;

/** @param {HTMLElement} figure @param {string} words   what its controls are set to
 * @param {import("../share/shareable.js").Texts} state   what differs from the default: the file's name says it
 * @returns {import("../pictures/svg.js").Picture} */
export function pictureOf(figure, words, state) {
  const { localName } = figure;
  const file = [localName, ...Object.entries(state).map(([name, value]) => name + value)].join("-").slice(0, LONGEST);
  return { label: "", file, draw: () => elementPicture(figure, { title: TITLES[localName], words, site: siteName() }) };
}
