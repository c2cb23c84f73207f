// Packs: the files from which the engine's Python starts, many in one.
//
// A pack is a WebAssembly module without code: one custom section per file, with the file's path for a name. So it is
// served as .wasm, which hosts compress on the way, where they leave a .zip and an unknown type as they are.

/** The magic number and the version of a WebAssembly module. */
const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/**
 * Paths and contents; the contents are views of the pack.
 * @param {Uint8Array} pack
 * @returns {Generator<[path: string, content: Uint8Array]>}
 */
export function* filesOf(pack) {
  const text = new TextDecoder();
  let at = HEADER.length;
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = pack[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < pack.length) {
    at++; // a section's kind; 0: custom
    const size = number();
    const end = at + size;
    const length = number();
    yield [text.decode(pack.subarray(at, at + length)), pack.subarray(at + length, end)];
    at = end;
  }
}

/**
 * The reverse, for the build.
 * @param {Iterable<[path: string, content: Uint8Array]>} files
 */
export function packOf(files) {
  const number = (/** @type {number} */ value) => {
    const bytes = [];
    for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
    return [...bytes, value];
  };
  /** @type {Uint8Array[]} */
  const parts = [Uint8Array.from(HEADER)];
  for (const [path, content] of files) {
    const name = new TextEncoder().encode(path);
    const head = [...number(name.length), ...name];
    parts.push(Uint8Array.from([0, ...number(head.length + content.length), ...head]), content);
  }
  const pack = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (pack.set(part, at), at + part.length), 0);
  return pack;
}
