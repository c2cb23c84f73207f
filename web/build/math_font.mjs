// The mathematical font, cut down to the characters that formulas use: a tenth of its size.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

/** @param {number} first @param {number} last */
const range = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join("");

/** Characters above ASCII; math.mjs refuses a formula with any other. */
export const CHARACTERS = [
  range(0x391, 0x3c9), // Greek
  range(0x1d434, 0x1d467), // italic Latin: what one-letter names are drawn with
  "ℎ", // italic h, which stands elsewhere
  range(0x1d6fc, 0x1d71b), // italic Greek
  range(0x1d5a0, 0x1d5d3), // sans-serif Latin, for the transpose
  "ℝ𝔼∂∞∑∏√≤≥≠≈∝→←⇒⟹∈⋅×−±…⋯⊙⏟ˆ‖∥⁡\u2061\u2062\u2009\u00a0\u200b",
].join("");

/** Write the font to a file. @param {string} path */
export async function writeMathFont(path) {
  const full = createRequire(import.meta.url).resolve(
    "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
  );
  await writeFile(path, await subsetFont(await readFile(full), range(0x20, 0x7e) + CHARACTERS, { targetFormat: "woff2" }));
}
