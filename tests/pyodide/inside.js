// pytest inside Pyodide, with NumPy's SIMD loops in place: the same for Node and for a browser's worker.
import { installLoops } from "../../web/simd/index.js";

/**
 * @param {import("pyodide").PyodideInterface} pyodide   with the site's packages loaded
 * @param {BufferSource} loops   the site's module with SIMD loops
 * @param {Uint8Array[]} wheels   pytest, Hypothesis and what they need
 * @param {string[]} pytestArguments
 * @returns {Promise<{code: number, report: string}>} pytest's exit code and JUnit report
 *
 * The tests and pyproject.toml are expected in /project.
 */
export async function runPytest(pyodide, loops, wheels, pytestArguments) {
  const { installed, refused } = await installLoops(pyodide, loops);
  if (!installed.length || refused.length) throw new Error(`SIMD loops refused: ${refused.join() || "all"}`);
  const extractDir = pyodide.runPython("import site; site.getsitepackages()[0]");
  for (const wheel of wheels) pyodide.unpackArchive(wheel, "wheel", { extractDir });
  pyodide.globals.set("arguments", pyodide.toPy(["--rootdir=/project", "--junitxml=/report.xml", ...pytestArguments]));
  const code = await pyodide.runPythonAsync(`
import importlib, os, sys
importlib.invalidate_caches()
os.chdir("/project")
sys.dont_write_bytecode = True  # in Node, tests is the real folder

import microtransformer, pytest
assert "/site-packages/" in microtransformer.__file__, microtransformer.__file__

# No cache folder in the real tree; no file descriptors to capture, so sys.stdout is.
int(pytest.main(["-p", "no:cacheprovider", "--capture=sys", *arguments]))
`);
  return { code, report: pyodide.FS.readFile("/report.xml", { encoding: "utf8" }) };
}
