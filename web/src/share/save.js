// Files and texts that leave the page, without leaving the site.

/** Save a file. A frame that may not download (sandbox without allow-downloads) does nothing, and the browser says so.
 * @param {string} name @param {BlobPart} content @param {string} type */
export function save(name, content, type) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser reads it after the click
}

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
