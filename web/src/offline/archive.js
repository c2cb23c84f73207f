// An archive in the offline copy: text of an element -> bytes -> files, one after another.
import { XzReadableStream } from "xz-decompress";

/** Names and sizes in bytes, in order. @typedef {[name: string, size: number][]} Contents */

/** What the HTML parser makes of each byte of a page in windows-1252. */
const LETTERS = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));

/**
 * Bytes that stand in the page as characters. HTML would change NUL and carriage return, and `<` might end the element:
 * so a byte is added to every block that keeps them out of it, and stands before it.
 * @param {string} text @param {number} block   bytes in a block, the added one included
 */
export function bytesIn(text, block) {
  const codes = new Uint8Array(0x2123); // the trade mark sign has the highest code, 0x2122
  for (let byte = 0; byte < 256; byte++) codes[LETTERS.charCodeAt(byte)] = byte;
  const bytes = new Uint8Array(text.length - Math.ceil(text.length / block));
  let to = 0;
  for (let start = 0; start < text.length; start += block) {
    const added = codes[text.charCodeAt(start)];
    const end = Math.min(start + block, text.length);
    for (let at = start + 1; at < end; at++) bytes[to++] = codes[text.charCodeAt(at)] - added;
  }
  return bytes;
}

/**
 * @param {Blob} xz @param {Contents} contents
 * @returns {AsyncGenerator<[name: string, content: Uint8Array<ArrayBuffer>]>}
 */
export async function* unpack(xz, contents) {
  const reader = new XzReadableStream(xz.stream()).getReader();
  /** @type {Uint8Array} */
  let piece = new Uint8Array();
  for (const [name, size] of contents) {
    const content = new Uint8Array(size);
    for (let filled = 0; filled < size; ) {
      if (!piece.length) {
        const { done, value } = await reader.read();
        if (done) throw new Error("The archive ends too early.");
        piece = value;
      }
      const part = piece.subarray(0, size - filled);
      content.set(part, filled);
      filled += part.length;
      piece = piece.subarray(part.length);
    }
    yield [name, content];
  }
}
