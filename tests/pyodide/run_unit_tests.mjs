// Runs tests/unit inside Pyodide, in Node, against the runtime and the wheel that the site ships.
//
//   node run_unit_tests.mjs RUNTIME WHEELS PROJECT RESULT [pytest arguments]
//
// RUNTIME  dist/pyodide of the built site
// WHEELS   a folder of pure-Python wheels: pytest, Hypothesis and what they need
// PROJECT  the folder with pyproject.toml and tests/unit
// RESULT   where pytest's JUnit report goes
//
// The exit code is pytest's, or 70 when it could not be started.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [runtime, wheels, project, result] = process.argv.slice(2, 6).map((path) => resolve(path));
const pytestArguments = process.argv.slice(6);

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
const extractDir = pyodide.runPython("import site; site.getsitepackages()[0]");
for (const name of readdirSync(wheels)) {
  const wheel = new Uint8Array(readFileSync(join(wheels, name))); // unpackArchive takes no Buffer
  pyodide.unpackArchive(wheel, "wheel", { extractDir });
}

const root = "/project";
pyodide.FS.mkdirTree(`${root}/tests/unit`);
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: join(project, "tests", "unit") }, `${root}/tests/unit`);
pyodide.FS.writeFile(`${root}/pyproject.toml`, readFileSync(join(project, "pyproject.toml")));

pyodide.globals.set("arguments", pyodide.toPy(["--rootdir=/project", "--junitxml=/report.xml", ...pytestArguments]));
const code = await pyodide.runPythonAsync(`
import importlib, os, sys
importlib.invalidate_caches()
os.chdir("/project")
sys.dont_write_bytecode = True  # tests/unit is the real folder

import microtransformer, pytest
assert "/site-packages/" in microtransformer.__file__, microtransformer.__file__

# No cache folder in the real tree; no file descriptors to capture, so sys.stdout is.
pytest.main(["tests/unit", "-p", "no:cacheprovider", "--capture=sys", *arguments])
`);
writeFileSync(result, pyodide.FS.readFile("/report.xml"));
process.exit(code);
