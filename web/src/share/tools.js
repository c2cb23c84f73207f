// What can be done with a figure: copy a link to it as it is on screen, copy code that puts it into another page, save it
// as a picture. One quiet button under the figure opens the list.
import { elementCode, iframeCode } from "../embed/code.js";
import { asPng } from "../pictures/png.js";
import { escaped } from "../pictures/svg.js";
import { copy, save } from "./save.js";
import { articleAddress, isCopy, isOnDisk, siteAddress } from "./site.js";

/** @typedef {import("../pictures/svg.js").Picture} Picture */

/**
 * @typedef {object} Toolset
 * @property {string} title
 * @property {() => string} fragment   of a link to the figure as it is on screen
 * @property {string} name   what embedding pages call it
 * @property {() => import("./shareable.js").Texts} state   what differs from the default, as in links
 * @property {() => string} [caveat]   what a link to it leaves out: a sentence, or ""
 * @property {() => Picture[]} pictures   one from the beginning, or several that come with time
 */

let count = 0;
/** Room in a frame around a figure. */
const FRAME = 32;

/** Fill a place under a figure. @param {HTMLElement} root @param {Toolset} tools */
export function addTools(root, tools) {
  const id = `tools${++count}`;
  const several = tools.pictures().length !== 1; // none: they are yet to come
  root.innerHTML = `
<button type="button" class="share" aria-expanded="false" aria-controls="${id}" aria-label="Share: ${escaped(tools.title)}">Share</button>
<div class="panel" id="${id}" hidden>
  <span><button type="button" data-tool="link">Copy link</button></span>
  <span class="code">Embed code: <button type="button" data-tool="frame" aria-label="Copy embed code: frame">frame</button>
  <button type="button" data-tool="element" aria-label="Copy embed code: element">element</button></span>
  <span>Save picture: ${several ? '<select aria-label="Which picture" autocomplete="off"></select>' : ""}
  <button type="button" data-tool="svg" aria-label="Save picture as SVG">SVG</button>
  <button type="button" data-tool="png" aria-label="Save picture as PNG">PNG</button></span>
  <span class="done" role="status"></span>
  <textarea rows="3" readonly hidden aria-label="Text to copy"></textarea>
</div>`;
  const get = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
  const panel = get(".panel");
  const opener = get(".share");
  const select = /** @type {HTMLSelectElement | null} */ (root.querySelector("select"));
  const field = /** @type {HTMLTextAreaElement} */ (get("textarea"));
  const figure = /** @type {HTMLElement} */ (root.closest("figure") ?? root.parentElement?.parentElement);

  if (isCopy()) get(".code").textContent = "Embed code comes from the site; this is its offline copy.";

  /** Pictures come and go with the heads of the model. */
  function listPictures() {
    if (!select) return;
    const labels = tools.pictures().map(({ label }) => label);
    if (labels.join() === [...select.options].map(({ text }) => text).join()) return;
    select.replaceChildren(...labels.map((label) => new Option(label)));
  }

  /** @param {string} text */
  function say(text) {
    get(".done").textContent = text;
  }

  /** @param {string} text @param {string} caveat */
  async function give(text, caveat) {
    const copied = await copy(text);
    field.hidden = copied;
    if (copied) return say(caveat ? `Copied. ${caveat}` : "Copied");
    field.value = text;
    field.focus();
    field.select();
    say(`This page may not write to the clipboard. The text is selected: copy it. ${caveat}`.trim());
  }

  /** @param {"frame" | "element"} kind */
  function code(kind) {
    const { name, title, state } = tools;
    const height = figure.getBoundingClientRect().height + FRAME;
    const embedded = { figure: name, title, state: state(), site: siteAddress(), height };
    return kind === "frame" ? iframeCode(embedded) : elementCode(embedded);
  }

  /** @param {"svg" | "png"} kind */
  async function savePicture(kind) {
    try {
      listPictures();
      const picture = tools.pictures()[select?.selectedIndex ?? 0];
      if (!picture) throw new Error("There is no picture yet: the figure is still loading.");
      const { draw, file } = picture;
      const svg = draw();
      say(kind === "svg" ? save(`${file}.svg`, svg.text, "image/svg+xml") : save(`${file}.png`, await asPng(svg), "image/png"));
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  }

  opener.addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    opener.setAttribute("aria-expanded", String(!panel.hidden));
    field.hidden = true;
    say("");
    listPictures();
  });
  select?.addEventListener("focus", listPictures);
  panel.addEventListener("click", ({ target }) => {
    const tool = target instanceof HTMLElement ? target.closest("button")?.dataset.tool : undefined;
    const caveat = tools.caveat?.() ?? "";
    const here = isOnDisk() ? "The link is to this file, on this device." : "";
    if (tool === "link") give(articleAddress() + tools.fragment(), `${here} ${caveat}`.trim());
    if (tool === "frame" || tool === "element") give(code(tool), caveat);
    if (tool === "svg" || tool === "png") savePicture(tool);
  });
  // What is done here changes nothing in the figure: it must not hear of it.
  for (const type of ["input", "change", "click", "focusin", "focusout"]) root.addEventListener(type, (event) => event.stopPropagation());
}
