// A figure of the article as a picture that can be saved.
import { elementPicture } from "../pictures/element_svg.js";
import { siteName } from "../share/site.js";
import { TITLES } from "./titles.js";

/** @param {HTMLElement} figure @param {string} words   what its controls are set to @returns {import("../pictures/svg.js").Picture} */
export function pictureOf(figure, words) {
  const { localName } = figure;
  return { label: "", file: localName, draw: () => elementPicture(figure, { title: TITLES[localName], words, site: siteName() }) };
}
