// How a page reaches its engine: a worker of its own, or one that it shares with other pages of the site.
import * as Comlink from "comlink";

/** @typedef {import("./protocol.js").EngineApi} EngineApi */

/**
 * @typedef {object} Connection
 * @property {Comlink.Remote<EngineApi>} api
 * @property {boolean} shared
 * @property {(tell: (error: Error) => void) => void} whenBroken   of a worker of its own: that it did not start, or threw
 * @property {() => void} close   a worker of its own stops; a shared one forgets the page
 */

/** Whether this document has no origin: one in a sandbox, or a file. */
const isOpaque = self.origin === "null";

/**
 * @param {string} url   of the worker's script
 * @param {string | null} name   of the worker to share, if there can be one; null: none
 * @returns {Promise<Connection>}
 */
export const connect = async (url, name) => (name !== null && (await toShared(url, name))) || toOwn(url);

/** @param {string} url @returns {Promise<Connection>} */
async function toOwn(url) {
  // Classic, not a module: Pyodide 0.29 loads its parts with importScripts.
  const worker = new Worker(isOpaque ? await copyOf(url) : url);
  return {
    api: Comlink.wrap(worker),
    shared: false,
    whenBroken(tell) {
      worker.onerror = (event) => {
        event.preventDefault();
        tell(new Error(event.message || NOT_LOADED));
      };
    },
    close: () => worker.terminate(),
  };
}

const NOT_LOADED = "The engine's script could not be loaded.";

/** @type {string | undefined} */
let copy;

/** The script as a blob, which a document without an origin may start a worker from, as it may not from any address of
 * a site. @param {string} url */
async function copyOf(url) {
  if (url.startsWith("blob:")) return url;
  if (copy) return copy;
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new Error(NOT_LOADED);
  copy = URL.createObjectURL(await response.blob());
  return copy;
}

/** Null where there are no shared workers, or the browser does not let this page have one.
 * @param {string} url @param {string} name @returns {Promise<Connection | null>} */
async function toShared(url, name) {
  if (isOpaque || !("SharedWorker" in self)) return null;
  try {
    const worker = new SharedWorker(url, name);
    const { port } = worker;
    await new Promise((resolve, reject) => {
      port.onmessage = resolve; // its greeting
      worker.onerror = reject;
    });
    port.onmessage = null;
    /** @type {Comlink.Remote<EngineApi>} */
    const api = Comlink.wrap(port);
    return { api, shared: true, whenBroken() {}, close: () => void api.leave() };
  } catch {
    return null;
  }
}
