// The worker's one Python.
import { bootPython } from "./boot.js";

/** @typedef {import("../protocol.js").RuntimeFile} RuntimeFile */
/** @typedef {import("../protocol.js").Progress} Progress */

/** @type {Promise<import("./boot.js").Python> | undefined} */
let booted;
/** @type {Progress | undefined} */
let progress;
/** Who waits for it. @type {Set<(progress: Progress) => void>} */
const waiting = new Set();

/**
 * Started by the first call; all others share it, and what becomes of it. After a failure, the next call tries again.
 * @param {RuntimeFile[]} files @param {string} base @param {(progress: Progress) => void} onProgress   see `bootPython`
 */
export async function sharedPython(files, base, onProgress) {
  waiting.add(onProgress);
  if (!booted) {
    progress = undefined;
    booted = bootPython(files, base, (now) => {
      progress = now;
      for (const tell of waiting) tell(now);
    });
    booted.then(endWithIt, () => (booted = undefined));
  }
  if (progress) onProgress(progress);
  try {
    return await booted;
  } finally {
    waiting.delete(onProgress);
  }
}

/** A worker whose Python has died is of no use, and a shared one would be given to every page to come.
 * @param {import("./boot.js").Python} python */
function endWithIt({ whenDead }) {
  whenDead(() => setTimeout(() => self.close())); // once the sessions have told their pages
}
