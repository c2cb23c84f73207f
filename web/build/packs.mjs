// Make the packs from which the engine's Python starts: node web/build/packs.mjs RUNTIME PACKAGES OUT
//
// RUNTIME   a folder with Pyodide's own files
// PACKAGES  a folder with the wheels' content: numpy and microtransformer
// OUT       a folder; python_stdlib.wasm, numpy.wasm and microtransformer.wasm are written there
//
// Compiling Python's sources takes more of Pyodide's start than anything else. Here the very interpreter that will run
// them compiles them beforehand, and only those that the engine uses. The complete library and the complete NumPy stay
// on the site for notebooks; the page runs our package only, so what a pack leaves out is reported by Python's own
// ModuleNotFoundError and is not fetched.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { packOf } from "../src/engine/worker/pack.js";
import { addPacks, compileLibraries, unpack } from "../src/engine/worker/unpack.js";

/** @typedef {[path: string, content: Uint8Array]} PackedFile */

const [runtime, packages, out] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = createRequire(import.meta.url)(join(runtime, "pyodide.js"));

/** What the page does with Python, so that every module it needs is imported. */
const EXERCISE = `
def exercise():
    import ctypes, linecache, traceback  # the SIMD loops; a stack trace that names file and line
    from microtransformer.playground import Playground

    playground = Playground()
    playground.start({"train_sequences": 64, "held_out_sequences": 64})
    while not playground.advance(1000, 1)["done"]:
        pass
    playground.observe(1, "FACE")
    playground.weights(1)
    playground.restore(playground.save(), {"seq_len": [4, 4]})
    playground.ask("jacobian_picture", '{"scores": [2, 1, 0]}')
    playground.ask("score_spread", '{"d_k": 4}')
    playground.ask("gradient_picture", '{"n_layers": 2}')
    playground.ask_about(1, "score_spread_of_run", "{}")
    playground.ask_about(1, "opened", '{"probe": "FACE", "ids": ["P"], "index": [0, 0, 0]}')
    playground.ask_about(1, "shapes_of_run", "{}")  # finds lines in the sources
    for call in (lambda: playground.observe(1, "?"), lambda: playground.start({"task": "?"})):
        try:
            call()
        except ValueError:
            text = traceback.format_exc()
            assert 'microtransformer/playground.py", line ' in text and "raise " in text, text

exercise()
`;

/** Every file of the wheels but tests and notes. @returns {string[]} */
const sources = () =>
  readdirSync(packages, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(packages.length + 1))
    .filter((path) => /\.(py|so)$/.test(path) && !path.includes("/tests/"));

const read = (/** @type {string} */ path) => new Uint8Array(readFileSync(join(packages, path)));

const complete = await loadPyodide({
  indexURL: `${runtime}/`,
  // Code knows its lines, but not its columns: these would be an eighth of what the packs weigh, compressed.
  env: { PYTHONNODEBUGRANGES: "1" },
  fsInit: (/** @type {any} */ FS, /** @type {{sitePackages: string}} */ { sitePackages }) => {
    for (const path of sources()) {
      FS.mkdirTree(`${sitePackages}/${path}`.slice(0, `${sitePackages}/${path}`.lastIndexOf("/")));
      FS.writeFile(`${sitePackages}/${path}`, read(path));
    }
  },
});
complete.runPython(EXERCISE);
/** @type {[string, Uint8Array | undefined][]} */
const used = complete.runPython(`
import importlib._bootstrap_external as bootstrap
import importlib.util
import sys

def compiled(path, source):
    # Documentation is for readers, and nobody reads it there: the strings that NumPy adds to its functions in C are
    # left out, and docstrings but for one module, which copies some. Our own package stays as it is written.
    if "/_add_newdocs" in path:
        source = b""
    level = 0 if "/microtransformer/" in path else 1 if path.endswith("numpy/_core/multiarray.py") else 2
    code = compile(source, path, "exec", dont_inherit=True, optimize=level)
    # Never checked against a source that is not there.
    return bytes(bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(source), False))

used = []
for module in list(sys.modules.values()):
    spec = getattr(module, "__spec__", None)
    if not spec or not spec.origin or not spec.origin.startswith("/lib/"):
        continue
    path = spec.origin.replace("/lib/python313.zip/", "/lib/python3.13/")
    is_library = path.endswith(".so")
    code = None if is_library else compiled(path, spec.loader.get_data(spec.origin))
    used.append((path.removeprefix("/lib/python3.13/"), code))
sorted(used)
`).toJs();

const IN_PACKAGES = "site-packages/";
/** @type {Record<"python_stdlib" | "numpy" | "microtransformer", PackedFile[]>} */
const packed = { python_stdlib: [], numpy: [], microtransformer: [] };
for (const [path, code] of used) {
  const source = path.startsWith(IN_PACKAGES) ? path.slice(IN_PACKAGES.length) : "";
  if (source.startsWith("microtransformer/")) {
    // The source too: a stack trace shows its lines, and a reader may open it.
    packed.microtransformer.push([path, read(source)]);
    packed.microtransformer.push([path.replace(/([^/]+)\.py$/, "__pycache__/$1.cpython-313.pyc"), ifCompiled(code)]);
  } else if (source.startsWith("numpy/")) {
    packed.numpy.push(code ? [`${path}c`, code] : [path, read(source)]);
  } else {
    packed.python_stdlib.push([`${path}c`, ifCompiled(code)]);
  }
}

/** @param {Uint8Array | undefined} code */
function ifCompiled(code) {
  if (!code) throw new Error("A library in WebAssembly is used that is not NumPy's; packs.mjs must learn where it goes.");
  return code;
}

const packs = Object.fromEntries(Object.entries(packed).map(([name, files]) => [name, packOf(files)]));
for (const [name, pack] of Object.entries(packs)) writeFileSync(join(out, `${name}.wasm`), pack);

// The proof: a start from the packs that were just written, as the worker does it, and all of it again.
const small = await loadPyodide({
  indexURL: `${runtime}/`,
  stdLibURL: "/dev/null",
  fsInit: (/** @type {any} */ FS) => unpack(FS, packs.python_stdlib),
});
addPacks(small, [packs.numpy, packs.microtransformer], await compileLibraries(packs.numpy));
small.runPython(EXERCISE);
process.exit(0);
