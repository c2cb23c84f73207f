// Files and texts that leave the page, without leaving the site.
import { isOnDisk } from "./site.js";

/** Save a file. A frame in a sandbox may not be allowed to (allow-downloads), and is not told whether it is.
 * @param {string} name @param {BlobPart} content @param {string} type
 * @returns {string} what the reader may be told */
export function save(name, content, type) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser reads it after the click
  return isSandboxed() ? `Saved ${name}, if the page around allows downloads` : `Saved ${name}`;
}

const isSandboxed = () => self.origin === "null" && !isOnDisk();

/** Put a text into the clipboard. False where that is not allowed: over plain HTTP there is none, and a frame needs its
 * host's permission. @param {string} text @returns {Promise<boolean>} */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
