// Answers the worker's requests for "packed:<name>" from the archive with the engine's files, and passes on all others.
import { unpack } from "./archive.js";

const SCHEME = "packed:";

const { fetch, importScripts, packed } =
  /** @type {typeof self & {packed: {address: string, contents: import("./archive.js").Contents}}} */ (self);

/** @typedef {Uint8Array<ArrayBuffer>} Content */

/** Contents that have been or will be unpacked. @type {Map<string, Promise<Content>>} */
const arrivals = new Map();
/** @type {Map<string, (content: Content) => void>} */
const arrived = new Map();
for (const [name] of packed.contents) arrivals.set(name, new Promise((resolve) => arrived.set(name, resolve)));

/** Addresses of the scripts, which importScripts needs at once. @type {Map<string, string>} */
const scripts = new Map();

async function unpackAll() {
  const xz = await (await fetch(packed.address)).blob();
  for await (const [name, content] of unpack(xz, packed.contents)) {
    if (name.endsWith(".js")) scripts.set(SCHEME + name, URL.createObjectURL(new Blob([content], { type: "text/javascript" })));
    arrived.get(name)?.(content);
  }
}

self.fetch = async (input, options) => {
  const name = typeof input === "string" && input.startsWith(SCHEME) ? input.slice(SCHEME.length) : null;
  if (name === null) return fetch(input, options);
  const content = await arrivals.get(name);
  return content ? new Response(content, { headers: { "Content-Type": "application/wasm" } }) : Response.error();
};
self.importScripts = (...urls) => importScripts(...urls.map((url) => scripts.get(String(url)) ?? url));

// Reported to the page as an error of the worker, which ends it: no file of the archive can be trusted then.
unpackAll().catch((error) => reportError(new Error(`This copy of the page is damaged (${error.message}); save it again from the site.`)));
