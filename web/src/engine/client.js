// The page's side of the engine: starts the worker when asked, and tells what state it is in.
import * as Comlink from "comlink";
import { filesForThisBrowser } from "./files.js";

/** @typedef {import("./protocol.js").EngineApi} EngineApi */
/** @typedef {import("./protocol.js").EngineEvent} EngineEvent */
/** @typedef {import("./protocol.js").Progress} Progress */
/** @typedef {import("./protocol.js").RuntimeFile} RuntimeFile */

/**
 * @typedef {object} EngineConfig
 * @property {string} worker                              URL of the worker's script
 * @property {{base: string, files: RuntimeFile[]}} runtime
 */

/** "recorded": not asked for yet. */
/** @typedef {"recorded" | "loading" | "live" | "failed"} EngineState */

export class Engine {
  /** @type {EngineState} */
  state = "recorded";
  /** @type {Progress} */
  progress = { phase: "download", loaded: 0, total: 0 };
  /** Why it failed: a sentence. */
  reason = "";
  /** @type {import("./protocol.js").LoopsReport | null} null before the engine is live */
  loops = null;
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Comlink.Remote<EngineApi> | undefined} */
  #api;
  /** @type {Set<() => void>} */
  #watchers = new Set();
  /** @type {Set<(event: EngineEvent) => void>} */
  #listeners = new Set();
  #lastRun = 0;

  /** @param {EngineConfig} config @param {string} pageUrl */
  constructor(config, pageUrl) {
    const absolute = (/** @type {string} */ url) => new URL(url, pageUrl).href;
    this.workerUrl = absolute(config.worker);
    this.base = absolute(config.runtime.base);
    this.files = filesForThisBrowser(config.runtime.files).map((file) => ({ ...file, url: absolute(file.url) }));
  }

  /** Be told when state or progress changes. @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
  }

  /** Hear the events of all runs. @param {(event: EngineEvent) => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
  }

  /** A number for a run: no two figures of a page choose the same. */
  newRun() {
    return ++this.#lastRun;
  }

  /** The number given last: of the run that the engine holds, or is about to. */
  get latestRun() {
    return this.#lastRun;
  }

  /** Bytes that starting the engine transfers, before any transport encoding. */
  get bytes() {
    return this.files.reduce((sum, file) => sum + file.bytes, 0);
  }

  /** The same from a host that compresses. */
  get gzippedBytes() {
    return this.files.reduce((sum, file) => sum + file.gzipped, 0);
  }

  /** Start the worker and Python in it, unless that has been done; after a failure, try again. */
  async load() {
    if (this.state === "loading" || this.state === "live") return;
    this.progress = { phase: "download", loaded: 0, total: this.bytes };
    this.#become("loading");
    // Classic, not a module: Pyodide 0.29 loads its parts with importScripts.
    const worker = new Worker(this.workerUrl);
    this.#worker = worker;
    try {
      const broken = new Promise((_, reject) => {
        worker.onerror = (event) => {
          event.preventDefault();
          const error = new Error(event.message || "The engine's script could not be loaded.");
          if (this.state === "live") this.#fail(worker, error);
          else reject(error);
        };
      });
      const api = /** @type {Comlink.Remote<EngineApi>} */ (Comlink.wrap(worker));
      const onProgress = Comlink.proxy((/** @type {Progress} */ progress) => {
        if (this.#worker !== worker || this.state !== "loading") return;
        this.progress = progress;
        this.#tell();
      });
      const onEvent = Comlink.proxy((/** @type {EngineEvent} */ event) => {
        if (this.#worker === worker) for (const listener of this.#listeners) listener(event);
      });
      const booted = api.boot(this.files, this.base, onProgress, onEvent);
      this.loops = await Promise.race([booted, /** @type {Promise<never>} */ (broken)]);
      this.#api = api;
      this.#become("live");
    } catch (error) {
      this.#fail(worker, error);
    }
  }

  /** @param {Worker} worker @param {unknown} error */
  #fail(worker, error) {
    worker.terminate();
    this.#api = undefined;
    this.reason = error instanceof Error ? error.message : String(error);
    this.#become("failed");
  }

  /** Switch NumPy's SIMD loops. @param {boolean} on */
  async useLoops(on) {
    this.loops = await this.api.useLoops(on);
    this.#tell();
  }

  /** The worker's calls. Throws before `state` is "live". */
  get api() {
    if (!this.#api) throw new Error("The engine is not live yet.");
    return this.#api;
  }

  /** @param {EngineState} state */
  #become(state) {
    this.state = state;
    this.#tell();
  }

  #tell() {
    for (const watcher of this.#watchers) watcher();
  }
}
