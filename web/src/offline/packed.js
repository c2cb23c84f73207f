// Answers the worker's requests for "packed:<name>" from the files that the page hands over, and passes on all others.
import { unpack } from "./archive.js";

/** @typedef {Uint8Array<ArrayBuffer>} Content */

/**
 * The first message to the worker. Not addresses: a file has no origin, and its worker may not open what it made.
 * @typedef {object} Packed
 * @property {Blob} xz   the archive with the large files of the engine
 * @property {import("./archive.js").Contents} contents   of that archive
 * @property {Map<string, Blob>} files   what else the engine may ask for
 */

const SCHEME = "packed:";
const { fetch, importScripts } = self;

/** @type {(packed: Packed) => void} */
let hand;
/** @type {Promise<(name: string) => Promise<BodyInit>>} */
const find = new Promise((resolve) => (hand = (packed) => resolve(opened(packed))));
/** Addresses of the scripts, which importScripts needs at once. @type {Map<string, string>} */
const scripts = new Map();

/** @param {Packed} packed @returns {(name: string) => Promise<BodyInit>} */
function opened({ xz, contents, files }) {
  /** @type {Map<string, (content: Content) => void>} */
  const arrived = new Map();
  /** @type {Map<string, Promise<Content>>} */
  const arrivals = new Map(contents.map(([name]) => [name, new Promise((resolve) => arrived.set(name, resolve))]));
  const unpackAll = async () => {
    for await (const [name, content] of unpack(xz, contents)) {
      if (name.endsWith(".js")) scripts.set(SCHEME + name, URL.createObjectURL(new Blob([content], { type: "text/javascript" })));
      arrived.get(name)?.(content);
    }
  };
  // Reported to the page as an error of the worker, which ends it: nothing in the archive can be trusted then.
  unpackAll().catch(({ message }) => reportError(new Error(`this copy of the page is damaged (${message}).`)));
  return async (name) => {
    const content = await (arrivals.get(name) ?? files.get(name));
    if (!content) throw new TypeError(`There is no ${name} in this copy.`);
    return content;
  };
}

// Registered before Comlink, which does not get to see this message.
addEventListener("message", (/** @type {MessageEvent<Packed>} */ event) => {
  event.stopImmediatePropagation();
  hand(event.data);
}, { once: true });

self.fetch = async (input, options) => {
  if (typeof input !== "string" || !input.startsWith(SCHEME)) return fetch(input, options);
  const content = await (await find)(input.slice(SCHEME.length));
  return new Response(content, { headers: { "Content-Type": "application/wasm" } });
};
self.importScripts = (...urls) => importScripts(...urls.map((url) => scripts.get(String(url)) ?? url));
