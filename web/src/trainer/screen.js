// What is on screen: a run, an epoch of it, what its model makes of the probe, and a kept run to compare with.
import { LiveRun } from "../runs/live.js";
import { settingsOf } from "../state.js";
import { Comparison } from "./comparison.js";
import { Observer } from "./observer.js";

/** @typedef {import("../runs/recorded.js").RecordedRun} RecordedRun */

/** Milliseconds per epoch when a run is replayed. */
const REPLAY_MS = 90;

export class Screen {
  /** @type {RecordedRun | LiveRun | null} */
  run = null;
  /** The epoch on screen. */
  epoch = 0;
  /** Whether the screen stays with the latest epoch as training goes on. */
  following = true;
  replaying = false;
  /** A sentence for the reader about the last thing that went wrong, or "". */
  notice = "";
  /** Whether the notice is about a link or a file, and goes when the reader goes on. */
  passing = false;
  #replayTimer = 0;

  /**
   * @param {import("../engine/client.js").Engine} engine
   * @param {import("../state.js").ScreenSettings} settings
   * @param {() => void} changed   called after every change, as often as changes come
   * @param {() => void} answered   called instead when the engine has answered about a probe
   */
  constructor(engine, settings, changed, answered) {
    this.engine = engine;
    this.settings = settings;
    this.changed = changed;
    this.observer = new Observer(answered);
    this.comparison = new Comparison(engine, answered);
  }

  /** Epochs that a full run has. */
  get epochs() {
    return this.run ? this.run.facts.train.epochs : 0;
  }

  /** The latest epoch there is. */
  get trained() {
    return this.run ? Math.max(0, this.run.records.length - 1) : 0;
  }

  get record() {
    return this.run?.records[this.epoch] ?? null;
  }

  /** What a link to the screen carries, but for open panels. */
  get state() {
    const { epoch, epochs, trained } = this;
    const { run: kept } = this.comparison;
    return {
      ...this.settings,
      epoch: epoch === trained ? null : epoch,
      trained: trained === epochs ? null : trained,
      kept: kept && { ...settingsOf(kept.facts), trained: kept.records.length - 1 },
    };
  }

  /** What the model on screen makes of a probe; null until there is an answer from this very run. */
  get shown() {
    const { shown } = this.observer;
    return shown?.run === this.run ? shown : null;
  }

  get isLive() {
    return this.run instanceof LiveRun;
  }

  /** The reader has come to the figure: have the engine ready. */
  showInterest() {
    if (this.engine.state === "recorded") this.engine.load();
  }

  /** @param {number} epoch */
  setEpoch(epoch) {
    this.stopReplay();
    this.goTo(Math.max(0, Math.min(this.trained, Math.round(epoch))));
    this.following = this.epoch === this.trained;
    this.changed();
  }

  /** Play the run from its first epoch, or stop playing. */
  replay() {
    if (this.replaying) {
      this.stopReplay();
    } else {
      this.replaying = true;
      this.following = false;
      this.goTo(0);
      this.#replayTimer = window.setInterval(() => {
        this.goTo(Math.min(this.epoch + 1, this.trained));
        if (this.epoch === this.trained) this.stopReplay();
        this.changed();
      }, REPLAY_MS);
    }
    this.changed();
  }

  /** Keep the run on screen beside those that come. @returns {Promise<void>} */
  async keep() {
    if (!this.run || this.trained === 0) return;
    try {
      await this.comparison.keep(this.run);
      this.observe();
    } catch (error) {
      this.complain(error);
    }
    this.changed();
  }

  drop() {
    this.comparison.drop();
    this.changed();
  }

  /** @protected */
  stopReplay() {
    window.clearInterval(this.#replayTimer);
    this.replaying = false;
    this.following = this.epoch === this.trained;
  }

  /** Put a run on screen, at its latest epoch. @protected @param {RecordedRun | LiveRun} run */
  show(run) {
    this.stopReplay();
    this.run = run;
    this.following = true;
    this.goTo(this.trained);
  }

  /** @protected @param {number} epoch */
  goTo(epoch) {
    this.epoch = epoch;
    this.observe();
  }

  /** @protected */
  observe() {
    const { run, epoch } = this;
    const { probe } = this.settings;
    if (!run?.records[epoch]) return;
    const answered = this.observer.ask({ run, epoch, probe });
    this.comparison.ask(epoch, probe);
    // A recorded run knows a handful of probes; for any other the engine has to reproduce the run.
    if (!answered) this.showInterest();
  }

  /** Tell the reader something until they go on. @param {string[]} sentences */
  tell(sentences) {
    this.notice = sentences.join(" ");
    this.passing = true;
    this.changed();
  }

  /** The reader goes on. */
  goOn() {
    if (!this.passing || !this.notice) return;
    this.notice = "";
    this.changed();
  }

  /** @protected @param {unknown} error */
  complain(error) {
    this.notice = error instanceof Error ? error.message : String(error);
    this.passing = false;
  }
}
