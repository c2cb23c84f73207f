// Fetch the runtime's files: counted as they arrive, compiled while they arrive, and refused when a byte is wrong.

/** @typedef {import("../protocol.js").RuntimeFile} RuntimeFile */

/**
 * A file that is as published.
 * @typedef {object} Arrived
 * @property {Uint8Array<ArrayBuffer>} body
 * @property {Promise<WebAssembly.Module>} [module]   where the role is "wasm"
 */

/** Seconds without a byte of any file after which the reader is told. */
const STALL_S = 30;
/** How much of the first files is still to come when the others are asked for: their first bytes need a round trip. */
const HEAD_START_BYTES = 300e3;

/**
 * With a secure origin the hash of every file is computed here, so that its bytes can be counted and compiled while
 * they arrive; without one the browser checks it (`integrity`) and hands over nothing before the last byte.
 */
const hashesHere = globalThis.crypto?.subtle !== undefined;

/**
 * Files by name, each as a promise. Those that Python's start needs come first; while it starts, the others arrive.
 * @param {RuntimeFile[]} files
 * @param {(file: RuntimeFile) => boolean} isFirst
 * @param {(loaded: number, total: number) => void} onProgress   in bytes, before any transport encoding
 * @returns {(name: string) => Promise<Arrived>}
 */
export function download(files, isFirst, onProgress) {
  const total = sum(files);
  const missing = new Set(files);
  let loaded = 0;
  let quiet = 0;
  let fail = (/** @type {Error} */ _) => {};
  const stalled = new Promise((_, reject) => (fail = reject));
  // Counted in ticks: a machine that was asleep has not waited.
  const clock = setInterval(() => {
    if (++quiet === STALL_S) fail(new Error(`${nameOf([...missing][0])} did not arrive: no byte came for ${STALL_S} seconds.`));
  }, 1000);
  if (!hashesHere) clearInterval(clock); // bytes that arrive are not seen

  let ask = () => {};
  /** @type {Promise<void>} */
  const asked = new Promise((resolve) => (ask = resolve));
  const first = sum(files.filter(isFirst));
  const count = (/** @type {number} */ bytes) => {
    loaded += bytes;
    quiet = 0;
    if (first - loaded <= HEAD_START_BYTES) ask();
    onProgress(loaded, total);
  };
  const arrive = async (/** @type {RuntimeFile} */ file) => {
    if (!isFirst(file)) await asked;
    const arrived = await Promise.race([fetchFile(file, count), /** @type {Promise<never>} */ (stalled)]);
    missing.delete(file);
    if (!missing.size) clearInterval(clock);
    return arrived;
  };
  const arrivals = new Map(files.map((file) => [file.name, arrive(file)]));
  for (const arrival of [...arrivals.values(), stalled]) arrival.catch(() => {}); // whoever waits for it is told
  return (name) => arrivals.get(name) ?? Promise.reject(new Error(`The page does not list the engine's file ${name}.`));
}

/** @param {RuntimeFile[]} files */
const sum = (files) => files.reduce((bytes, file) => bytes + file.bytes, 0);

/** @param {RuntimeFile} file @param {(bytes: number) => void} count @returns {Promise<Arrived>} */
async function fetchFile(file, count) {
  const response = await fetch(file.url, hashesHere ? {} : { integrity: file.integrity }).catch(() => null);
  if (!response?.ok) throw new Error(await reasonFor(file, response));
  try {
    const copy = response.clone();
    // The response itself, not its copy: for that one the browser keeps the machine code once it has made it, which
    // halves Python's start.
    const streamed = file.role === "wasm" ? WebAssembly.compileStreaming(response) : undefined;
    streamed?.catch(() => {});
    const body = await read(copy, file.bytes, count);
    if (hashesHere && (await integrityOf(body)) !== file.integrity) throw new Error("A byte is wrong.");
    // A host that serves another type than application/wasm is no reason to fail.
    return { body, module: streamed?.catch(() => WebAssembly.compile(body)) };
  } catch {
    throw new Error(`${nameOf(file)} ${SPOILT}`);
  }
}

/** @param {Response} response @param {number} size in bytes @param {(bytes: number) => void} count */
async function read(response, size, count) {
  const body = new Uint8Array(size);
  let at = 0;
  for (const reader = /** @type {ReadableStream} */ (response.body).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return body;
    body.set(value, at); // throws when there is more than was published
    at += value.length;
    count(value.length);
  }
}

/** As fetch() and the page's list of files write it. @param {Uint8Array<ArrayBuffer>} body */
async function integrityOf(body) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}

const SPOILT = "did not arrive as published: it was cut short, or a byte of it was wrong.";

/** How long the reader is kept waiting for a better explanation. */
const ASK_MS = 3000;

/** @param {RuntimeFile} file */
function nameOf(file) {
  const size = file.bytes < 1e5 ? `${(file.bytes / 1e3).toFixed(1)} kB` : `${(file.bytes / 1e6).toFixed(1)} MB`;
  return `${file.name} (${size})`;
}

/**
 * Why there is no good answer. Where the browser checks the hash, a failed connection, an error page and a wrong byte
 * all look alike, so the server is asked once more.
 * @param {RuntimeFile} file @param {Response | null} answer   null: fetch() failed
 */
async function reasonFor(file, answer) {
  if (!answer && !hashesHere) {
    answer = await fetch(file.url, { method: "HEAD", signal: AbortSignal.timeout(ASK_MS) }).catch(() => null);
    if (answer?.ok) return `${nameOf(file)} ${SPOILT}`;
  }
  if (!answer) return `${nameOf(file)} did not arrive: the connection failed.`;
  const newer = answer.status === 404 ? " A newer version of the site may have replaced it: then reload the page." : "";
  return `${nameOf(file)} did not arrive: the server answered ${answer.status}.${newer}`;
}
