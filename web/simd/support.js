// Which of the two modules with SIMD loops a browser can run.

/**
 * "relaxed": a product and a sum may be one instruction, rounded once. "fixed": they are two, the same everywhere.
 * @typedef {"relaxed" | "fixed"} Simd
 */

/** The smallest modules with an instruction of the kind: f32x4.relaxed_madd, and v128.const. */
const PROBES = {
  relaxed: [1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 0, 32, 0, 253, 133, 2, 11],
  fixed: [1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 22, 1, 20, 0, 253, 12, ...Array(16).fill(0), 11],
};

const knows = (/** @type {Simd} */ simd) =>
  WebAssembly.validate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, ...PROBES[simd]));

/** The better of those that this browser can run; undefined if it has no SIMD. @returns {Simd | undefined} */
export const simdSupport = () => (knows("relaxed") ? "relaxed" : knows("fixed") ? "fixed" : undefined);
