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
const root = "/project";
pyodide.FS.mkdirTree(`${root}/tests`);
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: join(project, "tests") }, `${root}/tests`);
pyodide.FS.writeFile(`${root}/pyproject.toml`, readFileSync(join(project, "pyproject.toml")));

// unpackArchive takes no Buffer
const wheelBodies = readdirSync(wheels).map((name) => new Uint8Array(readFileSync(join(wheels, name))));
const { runPytest } = await inside();
const { code, report } = await runPytest(pyodide, loopsModule(), wheelBodies, pytestArguments);
writeFileSync(result, report);
process.exit(code);

/** inside.js with web/simd in it, bundled as the site's worker is. */
async function inside() {
  const { build } = await import(pathToFileURL(join(project, "web", "node_modules", "esbuild", "lib", "main.js")).href);
  const { outputFiles } = await build({
    entryPoints: [join(project, "tests", "pyodide", "inside.js")],
    bundle: true, write: false, format: "esm", loader: { ".py": "text" },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Of the modules that the site ships, the one that every SIMD can run: this Node has no other. */
function loopsModule() {
  const name = readdirSync(join(site, "assets")).find((file) => /^loops-fixed-.*\.wasm$/.test(file));
  return readFileSync(join(site, "assets", name));
}
