// Bundle the page's code and styles with esbuild: node web/build/bundle.mjs OUTDIR
// Writes OUTDIR/assets/* and OUTDIR/entries.json, which names the hashed file of every entry.
import { writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

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
  target: "es2022",
  charset: "utf8",
  metafile: true,
  logLevel: "warning",
  loader: { ".svg": "file", ".png": "file", ".woff2": "file" },
};

try {
  const results = await Promise.all([
    build({ ...shared, entryPoints: { app: "src/app.js", site: "styles/site.css" }, format: "esm" }),
    // A classic script: Pyodide 0.29 is loaded with importScripts, which module workers do not have.
    build({ ...shared, entryPoints: { worker: "src/engine/worker.js" }, format: "iife" }),
  ]);
  /** @type {Record<string, string>} */
  const names = { "src/app.js": "app.js", "styles/site.css": "site.css", "src/engine/worker.js": "worker.js" };
  /** @type {Record<string, string>} */
  const entries = {};
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
