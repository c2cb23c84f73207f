// Which of the published files the engine of this browser starts from.
import { simdSupport } from "../../simd/support.js";

/** @typedef {import("./protocol.js").RuntimeFile} RuntimeFile */

/** All but the SIMD loops for browsers of another kind. @param {RuntimeFile[]} files */
export function filesForThisBrowser(files) {
  const simd = simdSupport();
  return files.filter((file) => !file.simd || file.simd === simd);
}
