// Make the engine's standard library: node web/build/stdlib.mjs RUNTIME OUT
//
// RUNTIME  a folder with Pyodide, its lock file and the wheels
// OUT      the archive to write
//
// Compiling the sources of the standard library takes more of Pyodide's start than anything else. Here the very
// interpreter that will run them compiles them beforehand, and only those that the engine uses. The complete library
// stays on the site for notebooks.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [runtime, out] = process.argv.slice(2).map((path) => resolve(path));
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
    for call in (lambda: playground.observe(1, "?"), lambda: playground.start({"task": "?"})):
        try:
            call()
        except ValueError:
            traceback.format_exc()

exercise()
`;

const complete = await loadPyodide({ indexURL: `${runtime}/` });
await complete.loadPackage("microtransformer", { messageCallback: () => {} });
complete.runPython(EXERCISE);
const archive = complete.runPython(`
import importlib._bootstrap_external as bootstrap
import importlib.util
import io
import sys
import zipfile

STDLIB = next(path for path in sys.path if path.endswith(".zip"))
STAMP = (1980, 1, 1, 0, 0, 0)  # any fixed date: the same sources give the same bytes

used = {module.__spec__.origin for module in list(sys.modules.values()) if getattr(module, "__spec__", None)}
buffer = io.BytesIO()
with zipfile.ZipFile(STDLIB) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as to:
    for name in sorted(source.namelist()):
        path = f"{STDLIB}/{name}"
        if path not in used:
            continue
        text = source.read(name)
        # Without docstrings and assertions, which nobody reads there; never checked against a source that is not there.
        code = compile(text, path, "exec", dont_inherit=True, optimize=2)
        compiled = bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(text), False)
        to.writestr(zipfile.ZipInfo(name + "c", STAMP), bytes(compiled), zipfile.ZIP_DEFLATED)
buffer.getvalue()
`);
writeFileSync(out, archive.toJs());

// The proof: a start from the archive that was just written, and all of it again.
const small = await loadPyodide({ indexURL: `${runtime}/`, stdLibURL: out });
await small.loadPackage("microtransformer", { messageCallback: () => {} });
small.runPython(EXERCISE);
process.exit(0);
