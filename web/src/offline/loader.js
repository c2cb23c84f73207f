// Last in the offline copy: makes addresses (blob:) for the files that the copy carries, and starts the page's script.
import { bytesIn, unpack } from "./archive.js";

/** @typedef {import("./archive.js").Contents} Contents */

/** @type {Record<string, string>} */
const TYPES = {
  js: "text/javascript", json: "application/json", txt: "text/plain;charset=utf-8", whl: "application/zip",
};

/** The page as it is in the file. A server that declares another encoding has had it read wrongly. */
async function page() {
  if (document.characterSet === "windows-1252") return document;
  const file = await (await fetch(location.href)).arrayBuffer();
  return new DOMParser().parseFromString(new TextDecoder("windows-1252").decode(file), "text/html");
}

/** @param {Document} from @param {string} id @returns {{xz: Blob, contents: Contents}} */
function archive(from, id) {
  const element = /** @type {HTMLElement} */ (from.getElementById(id));
  const { contents, block } = /** @type {{contents: string, block: string}} */ (/** @type {unknown} */ (element.dataset));
  const xz = new Blob([bytesIn(/** @type {string} */ (element.textContent), Number(block))]);
  document.getElementById(id)?.remove(); // some megabytes
  return { xz, contents: JSON.parse(contents) };
}

async function start() {
  const from = await page();
  const { xz, contents } = archive(from, "page-files");
  /** @type {Map<string, Blob>} */
  const files = new Map();
  for await (const [name, content] of unpack(xz, contents)) {
    files.set(name, new Blob([content], { type: TYPES[name.slice(name.lastIndexOf(".") + 1)] }));
  }
  const addresses = new Map([...files].map(([name, file]) => [name, URL.createObjectURL(file)]));
  const addressOf = (/** @type {string} */ name) => /** @type {string} */ (addresses.get(name));

  const engine = { ...archive(from, "engine-files"), files };
  globalThis.Worker = class extends Worker {
    /** @param {string | URL} url @param {WorkerOptions} [options] */
    constructor(url, options) {
      super(url, options);
      this.postMessage(engine); // see packed.js
    }
  };
  const config = /** @type {HTMLElement} */ (document.getElementById("site-config"));
  const known = (/** @type {string} */ _, /** @type {any} */ value) => addresses.get(value) ?? value;
  config.textContent = JSON.stringify(JSON.parse(/** @type {string} */ (config.textContent), known));
  for (const link of document.querySelectorAll("a[data-file]")) {
    const name = /** @type {string} */ (/** @type {HTMLElement} */ (link).dataset.file);
    link.setAttribute("href", addressOf(name));
    link.setAttribute("download", name.slice(name.lastIndexOf("/") + 1));
  }
  const app = document.createElement("script");
  app.type = "module";
  app.src = addressOf("app.js");
  document.body.append(app);
}

start().catch((error) => {
  console.error(error);
  const note = document.querySelector("p.keep");
  if (note) note.textContent = "The figures did not start: this copy is damaged, or this browser is too old for it.";
});
