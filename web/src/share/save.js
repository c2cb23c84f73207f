// Give the reader a file.

/** Browsers read the file after the click; it may be large. */
const KEPT_MS = 60_000;

/** @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
