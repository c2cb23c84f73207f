// Runs pytest inside Pyodide, in Node, with the runtime, the wheel and the SIMD loops that the site ships.
//
//   node run_tests.mjs SITE WHEELS PROJECT RESULT [pytest arguments]
//
// SITE     dist/ of the built site
// WHEELS   a folder of pure-Python wheels: pytest, Hypothesis and what they need
// PROJECT  the folder with pyproject.toml, tests and web
// RESULT   where pytest's JUnit report goes
//
// The exit code is pytest's, or 70 when it could not be started.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, wheels, project, result] = process.argv.slice(2, 6).map((path) => resolve(path));
const pytestArguments = process.argv.slice(6);
const runtime = join(site, "pyodide");

// Without this, Node would print the whole minified line of pyodide.asm.js that an error came through.
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(70);
});

// The classic script that the page's worker loads; in Node it exports what it otherwise makes global.
const { loadPyodide } = createRequire(import.meta.url)(join(runtime, "pyodide.js"));
const pyodide = await loadPyodide({ indexURL: `${runtime}/`, env: { HOME: "/home/pyodide", COLUMNS: "110" } });

// From the site's lock file, which also refuses a wrong byte. There is no source tree for Python to find instead.
await pyodide.loadPackage("microtransformer", { messageCallback: () => {} });
const { installed, refused } = await (await simdLoops()).installLoops(pyodide, loopsModule());
if (!installed.length || refused.length) throw new Error(`SIMD loops refused: ${refused.join() || "all"}`);
const extractDir = pyodide.runPython("import site; site.getsitepackages()[0]");
for (const name of readdirSync(wheels)) {
  const wheel = new Uint8Array(readFileSync(join(wheels, name))); // unpackArchive takes no Buffer
  pyodide.unpackArchive(wheel, "wheel", { extractDir });
}

const root = "/project";
pyodide.FS.mkdirTree(`${root}/tests`);
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: join(project, "tests") }, `${root}/tests`);
pyodide.FS.writeFile(`${root}/pyproject.toml`, readFileSync(join(project, "pyproject.toml")));

pyodide.globals.set("arguments", pyodide.toPy(["--rootdir=/project", "--junitxml=/report.xml", ...pytestArguments]));
const code = await pyodide.runPythonAsync(`
import importlib, os, sys
importlib.invalidate_caches()
os.chdir("/project")
sys.dont_write_bytecode = True  # tests is the real folder

import microtransformer, pytest
assert "/site-packages/" in microtransformer.__file__, microtransformer.__file__

# No cache folder in the real tree; no file descriptors to capture, so sys.stdout is.
pytest.main(["-p", "no:cacheprovider", "--capture=sys", *arguments])
`);
/** web/simd as the worker's bundle has it. */
async function simdLoops() {
  const { build } = await import(pathToFileURL(join(project, "web", "node_modules", "esbuild", "lib", "main.js")).href);
  const { outputFiles } = await build({
    entryPoints: [join(project, "web", "simd", "index.js")],
    bundle: true, write: false, format: "esm", loader: { ".py": "text" },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** The module that the site ships. */
function loopsModule() {
  const name = readdirSync(join(site, "assets")).find((file) => /^loops-.*\.wasm$/.test(file));
  return readFileSync(join(site, "assets", name));
}

writeFileSync(result, pyodide.FS.readFile("/report.xml"));
process.exit(code);
