// SIMD loops for the NumPy of a Pyodide: install them, test each, switch them on and off.
//
// Knows nothing of what the NumPy is used for; any page with Pyodide can use it:
//
//     const wasm = await (await fetch(`loops-${simdSupport()}.wasm`)).arrayBuffer();   // support.js
//     const loops = await installLoops(pyodide, wasm);   // after numpy has been loaded
//     loops.installed;           // ["matmul", "add", …]: tested, and now at work
//     loops.enable(false);       // NumPy's own again
import source from "./numpy_loops.py";

/** @typedef {import("pyodide").PyodideInterface} Pyodide */

/**
 * @typedef {object} Loops
 * @property {string[]} installed          ufuncs whose float32 loop has been replaced
 * @property {string[]} refused            ufuncs that stay with NumPy's loop: it has none to replace, or ours failed its test
 * @property {(on: boolean) => void} enable
 */

/** Floats of scratch memory for packing matrices; larger ones stay with NumPy. 512 KB. */
const SCRATCH_FLOATS = 1 << 17;

/**
 * @param {Pyodide} pyodide
 * @param {BufferSource} wasm   one of the modules compiled from loops.ts
 * @returns {Promise<Loops>}
 */
export async function installLoops(pyodide, wasm) {
  const { memory, malloc, table } = internals(pyodide);
  const { instance } = await WebAssembly.instantiate(wasm, { env: { memory, table } });
  const code = /** @type {Record<string, Function>} */ (/** @type {unknown} */ (instance.exports));
  const scratch = malloc(SCRATCH_FLOATS * 4 + 16);
  code.set_scratch((scratch + 15) & ~15, SCRATCH_FLOATS);

  const python = pyodide.toPy({ __name__: "numpy_loops" });
  pyodide.runPython(source, { globals: python, filename: "numpy_loops.py" });
  const replace = python.get("replace");
  const isRight = python.get("is_right");

  /** @type {Map<string, {ours: number, theirs: number}>} */
  const slots = new Map();
  /** @type {string[]} */
  const refused = [];
  for (const name of Object.keys(code).filter((key) => key.startsWith("loop_")).map((key) => key.slice(5))) {
    const ours = table.grow(1);
    table.set(ours, code[`loop_${name}`]);
    /** @type {number | undefined} */
    let theirs;
    try {
      theirs = /** @type {number} */ (replace(name, ours));
      code[`set_old_${name}`](theirs);
      if (isRight(name)) {
        slots.set(name, { ours, theirs });
        continue;
      }
    } catch {
      // NumPy has no such loop, or the test could not be carried out: refused as well.
    }
    if (theirs !== undefined) replace(name, theirs);
    refused.push(name);
  }
  isRight.destroy();
  python.destroy();
  return {
    installed: [...slots.keys()],
    refused,
    enable(on) {
      for (const [name, { ours, theirs }] of slots) replace(name, on ? ours : theirs);
    },
  };
}

/**
 * Pyodide's memory, allocator and function table. Not part of its interface: they are looked up in one place, and a
 * Pyodide that has moved them is reported by a sentence.
 * @param {Pyodide} pyodide
 * @returns {{memory: WebAssembly.Memory, malloc: (bytes: number) => number, table: WebAssembly.Table}}
 */
function internals(pyodide) {
  const module = /** @type {any} */ (pyodide)._module;
  const main = module?.LDSO?.loadedLibsByName?.__main__?.exports;
  if (!(main?.memory instanceof WebAssembly.Memory) || !(module.wasmTable instanceof WebAssembly.Table)) {
    throw new Error("This Pyodide keeps its memory or its function table elsewhere; the SIMD loops do not know it.");
  }
  return { memory: main.memory, malloc: main.malloc, table: module.wasmTable };
}
