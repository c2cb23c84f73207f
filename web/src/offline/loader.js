// Last in the offline copy: makes addresses (blob:) for the files that the copy carries, and starts the page's script.
import { bytesIn, unpack } from "./archive.js";

/** @typedef {import("./archive.js").Contents} Contents */

/** @type {Record<string, string>} */
const TYPES = {
  js: "text/javascript", json: "application/json", wasm: "application/wasm", txt: "text/plain;charset=utf-8",
  whl: "application/zip",
};

/** @param {string} name @param {BlobPart[]} parts */
const addressOf = (name, ...parts) =>
  URL.createObjectURL(new Blob(parts, { type: TYPES[name.slice(name.lastIndexOf(".") + 1)] }));

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
  const bytes = bytesIn(/** @type {string} */ (element.textContent), Number(block));
  document.getElementById(id)?.remove(); // some megabytes
  return { xz: new Blob([bytes]), contents: JSON.parse(contents) };
}

async function start() {
  const from = await page();
  const engine = archive(from, "engine-files");
  // The worker unpacks the engine itself, when it is started.
  const packed = JSON.stringify({ address: URL.createObjectURL(engine.xz), contents: engine.contents });
  const { xz, contents } = archive(from, "page-files");
  /** Name of a file -> its address. @type {Map<string, string>} */
  const addresses = new Map();
  for await (const [name, content] of unpack(xz, contents)) {
    addresses.set(name, name === "worker.js" ? addressOf(name, `self.packed=${packed};`, content) : addressOf(name, content));
  }
  const config = /** @type {HTMLElement} */ (document.getElementById("site-config"));
  const known = (/** @type {string} */ _, /** @type {any} */ value) => addresses.get(value) ?? value;
  config.textContent = JSON.stringify(JSON.parse(/** @type {string} */ (config.textContent), known));
  for (const link of document.querySelectorAll("a[data-file]")) {
    const { file } = /** @type {HTMLElement} */ (link).dataset;
    const name = /** @type {string} */ (file);
    link.setAttribute("href", /** @type {string} */ (addresses.get(name)));
    link.setAttribute("download", name.slice(name.lastIndexOf("/") + 1));
  }
  const app = document.createElement("script");
  app.type = "module";
  app.src = /** @type {string} */ (addresses.get("app.js"));
  document.body.append(app);
}

start().catch((error) => {
  console.error(error);
  const note = document.querySelector("p.keep");
  if (note) note.textContent = "The figures did not start: this copy is damaged, or this browser is too old for it.";
});
