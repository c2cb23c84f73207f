// The SIMD loops as the engine uses them: without them, for whatever reason, everything works, only slower.
import { installLoops } from "../../../simd/index.js";

/** @typedef {import("../protocol.js").LoopsReport} LoopsReport */
/** @typedef {{report: LoopsReport, enable: (on: boolean) => void}} EngineLoops */

/**
 * @param {import("pyodide").PyodideInterface} pyodide   with NumPy loaded
 * @param {BufferSource | undefined} wasm   the module that this browser can run; none where it has no SIMD
 * @returns {Promise<EngineLoops>}
 */
export async function startLoops(pyodide, wasm) {
  /** @type {LoopsReport} */
  const report = { on: false, installed: [], refused: [], reason: "" };
  let enable = (/** @type {boolean} */ _) => {};
  if (!wasm) {
    report.reason = "This browser has no WebAssembly SIMD.";
  } else {
    try {
      const loops = await installLoops(pyodide, wasm);
      Object.assign(report, { on: loops.installed.length > 0, installed: loops.installed, refused: loops.refused });
      enable = loops.enable;
    } catch (error) {
      report.reason = error instanceof Error ? error.message : String(error);
    }
  }
  return {
    report,
    enable(on) {
      enable(on);
      report.on = on && report.installed.length > 0;
    },
  };
}
