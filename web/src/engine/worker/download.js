// Fetch the runtime's files: in parallel, counted as they arrive, and refused when a byte is wrong.

/** @typedef {import("../protocol.js").RuntimeFile} RuntimeFile */

/**
 * All files by name. The browser checks each against its hash before it hands over the last byte.
 * @param {RuntimeFile[]} files
 * @param {(loaded: number, total: number) => void} onProgress
 * @returns {Promise<Map<string, Uint8Array<ArrayBuffer>>>}
 */
export async function download(files, onProgress) {
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  let loaded = 0;
  const count = (/** @type {number} */ bytes) => {
    loaded += bytes;
    onProgress(loaded, total);
  };
  const bodies = await Promise.all(files.map((file) => fetchFile(file, count)));
  return new Map(files.map((file, i) => [file.name, bodies[i]]));
}

/** @param {RuntimeFile} file @param {(bytes: number) => void} count */
async function fetchFile(file, count) {
  try {
    const response = await fetch(file.url, { integrity: file.integrity });
    const body = new Uint8Array(file.bytes);
    let at = 0;
    for (const reader = /** @type {ReadableStream} */ (response.body).getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return body;
      body.set(value, at);
      at += value.length;
      count(value.length);
    }
  } catch {
    throw new Error(await reasonFor(file));
  }
}

/** How long the reader is kept waiting for a better explanation. */
const ASK_MS = 3000;

/** Why a file could not be had. A failed connection, an error page and a wrong hash all look alike to a script (a
 * TypeError without a reason), so the server is asked once more. @param {RuntimeFile} file */
async function reasonFor(file) {
  const size = file.bytes < 1e5 ? `${(file.bytes / 1e3).toFixed(1)} kB` : `${(file.bytes / 1e6).toFixed(1)} MB`;
  const name = `${file.name} (${size})`;
  const answer = await fetch(file.url, { method: "HEAD", signal: AbortSignal.timeout(ASK_MS) }).catch(() => null);
  if (!answer) return `${name} did not arrive: the connection failed.`;
  if (!answer.ok) return `${name} did not arrive: the server answered ${answer.status}.`;
  return `${name} did not arrive as published: it was cut short, or a byte of it was wrong.`;
}
