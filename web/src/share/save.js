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

/** Copy a text; where that is not allowed, select it in its element. Whether it was copied.
 * @param {string} text @param {HTMLElement} element */
export async function copy(text, element) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(element);
    return false;
  }
}
