// The one engine of a page: every figure asks it.
import { Engine } from "./client.js";

/**
 * What the build has told the page about the site's files.
 * @typedef {import("./client.js").EngineConfig & {recorded: Record<string, string>, figures: Record<string, string>,
 *   wheel: string}} SiteConfig
 * `recorded`: "task-mask" -> URL of a run; `figures`: tag -> URL of what was recorded for the figure; `wheel`: URL of the
 * package.
 */

/** @type {SiteConfig | undefined} */
let config;
/** @type {Engine | undefined} */
let engine;

export function siteConfig() {
  config ??= /** @type {SiteConfig} */ (JSON.parse(document.getElementById("site-config")?.textContent ?? "{}"));
  return config;
}

/**
 * Made at the first call; it downloads nothing before it is told to load. A page with one figure only, `<html data-only>`,
 * shares it with others of its kind, since a course page may hold several.
 */
export function sharedEngine() {
  engine ??= new Engine(siteConfig(), document.baseURI, () => "only" in document.documentElement.dataset);
  return engine;
}
