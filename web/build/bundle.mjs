// Bundle the page's code and styles with esbuild: node web/build/bundle.mjs OUTDIR
// Writes OUTDIR/assets/*, OUTDIR/embed.js, and OUTDIR/entries.json, which names the hashed file of every entry;
// OUTDIR/offline/loader.js and worker.js are for the offline copy.
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { build } from "esbuild";
import { writeMathFont } from "./math_font.mjs";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const outdir = resolve(process.argv[2]);

/** @type {import("esbuild").BuildOptions} */
const shared = {
  absWorkingDir: web,
  outdir,
  entryNames: "assets/[name]-[hash]",
  assetNames: "assets/[name]-[hash]",
  bundle: true,
  minify: true,
  sourcemap: "linked",
  target: ["es2022", "chrome111", "firefox114", "safari16.4"], // the browsers: nested styles are unfolded for them
  charset: "utf8",
  metafile: true,
  logLevel: "warning",
  loader: { ".svg": "file", ".png": "file", ".woff2": "file", ".py": "text" },
};

/**
 * Compile NumPy's SIMD loops; the path of the module, relative to `outdir`.
 * @param {string} simd   "relaxed" or "fixed", see simd/support.js
 */
async function compileLoops(simd) {
  /** @type {Uint8Array | undefined} */
  let module;
  const { error, stderr } = await asc.main(
    ["loops.ts", "--baseDir", join(web, "simd"), "--outFile", "loops.wasm", "-O3", "--noAssert", "--runtime", "stub"]
      // On Pyodide's memory and function table; a module of its own would have neither NumPy's arrays nor its loops.
      .concat("--importMemory", "--importTable", "--enable", simd === "relaxed" ? "simd,relaxed-simd" : "simd"),
    { writeFile: (name, contents) => void (name === "loops.wasm" && (module = /** @type {Uint8Array} */ (contents))) },
  );
  if (error || !module) {
    console.error(stderr.toString());
    throw error ?? new Error("asc wrote no module.");
  }
  const hash = createHash("sha256").update(module).digest("hex").slice(0, 10);
  const path = `assets/loops-${simd}-${hash}.wasm`;
  await mkdir(join(outdir, "assets"), { recursive: true });
  await writeFile(join(outdir, path), module);
  return path;
}

/** Where styles ask for "math-font.woff2", they get the font that is made here. @type {import("esbuild").Plugin} */
const mathFont = {
  name: "math-font",
  setup({ onResolve }) {
    onResolve({ filter: /^math-font\.woff2$/ }, async () => {
      const path = join(outdir, "math-font.woff2");
      await mkdir(outdir, { recursive: true });
      await writeMathFont(path);
      return { path };
    });
  },
};

try {
  const results = await Promise.all([
    build({
      ...shared,
      entryPoints: { app: "src/app.js", "embed-page": "src/embed/page.js", site: "styles/site.css" },
      format: "esm",
      plugins: [mathFont],
    }),
    // Other people's pages name it: it keeps its address.
    build({ ...shared, entryPoints: { embed: "src/embed/element.js" }, entryNames: "[name]", format: "esm", sourcemap: false }),
    // A classic script: Pyodide 0.29 is loaded with importScripts, which module workers do not have.
    build({ ...shared, entryPoints: { worker: "src/engine/worker.js" }, format: "iife" }),
    // For the offline copy, inside which neither names with a hash nor source maps are of use. In ASCII: see offline.py.
    build({
      ...shared, entryPoints: { loader: "src/offline/loader.js", worker: "src/offline/worker.js" }, format: "iife",
      entryNames: "offline/[name]", sourcemap: false, charset: "ascii",
    }),
  ]);
  /** @type {Record<string, string>} */
  const names = {
    "src/app.js": "app.js",
    "src/embed/page.js": "embed-page.js",
    "src/engine/worker.js": "worker.js",
    "styles/site.css": "site.css",
  };
  /** @type {Record<string, string | Record<string, string>>} */
  const entries = { loops: { relaxed: await compileLoops("relaxed"), fixed: await compileLoops("fixed") } };
  for (const { metafile } of results) {
    for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
      if (entryPoint && names[entryPoint]) {
        entries[names[entryPoint]] = relative(outdir, resolve(web, path)).replaceAll("\\", "/");
      }
    }
  }
  await writeFile(join(outdir, "entries.json"), JSON.stringify(entries));
} catch (error) {
  // esbuild has already printed what is wrong in which file.
  if (!(/** @type {{errors?: unknown[]}} */ (error).errors)) console.error(error);
  process.exitCode = 1;
}
