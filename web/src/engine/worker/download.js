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
  const size = `${(file.bytes / 1e6).toFixed(1)} MB`;
  try {
    const response = await fetch(file.url, { integrity: file.integrity });
    if (!response.ok || !response.body) {
      throw new Error(`The server answered ${response.status} for ${file.name}.`);
    }
    const body = new Uint8Array(file.bytes);
    let at = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return body;
      body.set(value, at);
      at += value.length;
      count(value.length);
    }
  } catch (error) {
    // A failed connection and a failed hash look alike to a script: both are a TypeError without a reason.
    const told = error instanceof Error && error.message.startsWith("The server");
    if (told) throw error;
    throw new Error(
      `${file.name} (${size}) did not arrive as published: the connection failed, or a byte of it was wrong.`,
    );
  }
}
