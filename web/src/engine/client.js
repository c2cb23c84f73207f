// The page's side of the engine: starts the worker when asked, and tells what state it is in.
import * as Comlink from "comlink";
import { connect } from "./connection.js";
import { filesForThisBrowser } from "./files.js";

/** @typedef {import("./protocol.js").EngineEvent} EngineEvent */
/** @typedef {import("./protocol.js").RunEvent} RunEvent */
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
  /** That it failed, and why: sentences. */
  failure = "";
  /** @type {import("./protocol.js").LoopsReport | null} null before the engine is live */
  loops = null;
  /** Whether it must not start: the page that embeds the figure wants recorded answers only. */
  barred = false;
  /** Whether the figures are out of the reader's sight: until they are back, no download begins, and nothing trains. A
   * download that has begun is finished: broken off, it would have to begin anew. */
  resting = false;
  /** The run that trains, and rests with the engine. @type {{rest: () => void, resume: () => void} | null} */
  run = null;
  /** Whether it was told to load while it rested. */
  #wished = false;
  /** @type {import("./connection.js").Connection | undefined} */
  #connection;
  /** @type {Set<() => void>} */
  #watchers = new Set();
  /** @type {Set<(event: RunEvent) => void>} */
  #listeners = new Set();
  #lastRun = 0;
  /** How often it has become live: what it held the time before is gone. */
  starts = 0;

  /**
   * @param {EngineConfig} config @param {string} pageUrl
   * @param {() => boolean} share   whether pages of the site may have one engine in common; asked when it is started
   */
  constructor(config, pageUrl, share) {
    const absolute = (/** @type {string} */ url) => new URL(url, pageUrl).href;
    this.workerUrl = absolute(config.worker);
    this.base = absolute(config.runtime.base);
    this.files = filesForThisBrowser(config.runtime.files).map((file) => ({ ...file, url: absolute(file.url) }));
    this.share = share;
    // A shared worker does not see that the browser puts a page aside, nor that it is brought back.
    addEventListener("pagehide", () => this.#connection?.shared && this.#connection.close());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#connection?.shared && this.#comeBack());
  }

  /** Be told when state or progress changes. @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
  }

  /** Hear the events of all runs. @param {(event: RunEvent) => void} listener */
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
    if (this.state === "loading" || this.state === "live" || this.barred) return;
    this.#wished = this.resting;
    if (this.resting) return;
    this.progress = { phase: "download", loaded: 0, total: this.bytes };
    this.#become("loading");
    /** @type {import("./connection.js").Connection | undefined} */
    let connection;
    const isCurrent = () => this.#connection === connection;
    try {
      connection = await connect(this.workerUrl, this.share() ? this.#name : null);
      this.#connection = connection;
      connection.whenBroken((error) => isCurrent() && this.#fail(error));
      const onProgress = Comlink.proxy((/** @type {Progress} */ progress) => {
        if (!isCurrent() || this.state !== "loading") return;
        this.progress = progress;
        this.#tell();
      });
      const onEvent = Comlink.proxy((/** @type {EngineEvent} */ event) => {
        if (!isCurrent()) return;
        if (event.type === "death") return this.#fail(new Error(`Its Python has ended: ${event.cause}.`));
        for (const listener of this.#listeners) listener(event);
      });
      const loops = await connection.api.boot(this.files, this.base, onProgress, onEvent);
      if (!isCurrent()) return;
      this.loops = loops;
      this.starts++;
      this.#become("live");
    } catch (error) {
      if (isCurrent()) this.#fail(error);
    }
  }

  /** Of the engine that this page may share: pages of another build of the site start from other files. */
  get #name() {
    return this.files.map((file) => file.integrity).join(" ");
  }

  /** Let it rest, or go on with what it was told meanwhile. @param {boolean} resting */
  rest(resting) {
    if (resting === this.resting) return;
    this.resting = resting;
    if (this.state === "live") this.run?.[resting ? "rest" : "resume"]();
    if (this.#wished && !resting) this.load();
    this.#tell();
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#connection?.close();
    this.#connection = undefined;
    this.run = null;
    const what = this.state === "live" ? "has stopped" : "did not start";
    this.failure = `The live engine ${what}. ${error instanceof Error ? error.message : error}`;
    this.#become("failed");
  }

  #comeBack() {
    this.#fail(new Error("The browser had put this page aside, and the engine has forgotten its run."));
    this.load();
  }

  /** Switch NumPy's SIMD loops. @param {boolean} on */
  async useLoops(on) {
    this.loops = await this.api.useLoops(on);
    this.#tell();
  }

  /** The worker's calls. Throws before `state` is "live". */
  get api() {
    if (!this.#connection || this.state !== "live") throw new Error("The engine is not live yet.");
    return this.#connection.api;
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
