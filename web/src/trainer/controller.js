// What the trainer does, without a page: which run is on screen, which epoch of it, and what happens next.
//
// Two runs may exist at once. `run` is on screen: first a recorded one, later the engine's. `live` is the engine's;
// when the engine starts without having been told to train, it reproduces the recorded run out of sight and takes
// over when it has caught up, so that nothing on screen jumps.
import { LiveRun } from "../runs/live.js";
import { engineSettings, isDefaultRun, parse, runSettings } from "../state.js";
import { Screen } from "./screen.js";

/** @typedef {import("../state.js").RunSettings} RunSettings */
/** @typedef {"train" | "step" | "reset" | "reproduce"} Intent */

export class TrainerController extends Screen {
  /** @type {LiveRun | null} */
  live = null;
  training = false;
  stepsPerSecond = 0;

  /** What to do once the engine is live. @type {Intent} */
  #intent = "reproduce";
  /** Records that the engine's run needs before it is put on screen: one, or as many as the run it reproduces. */
  #needed = 1;
  /** The epoch that a link to a run which is not recorded asks for. @type {number | null} */
  #until = null;
  #latestStart = 0;

  /**
   * @param {import("../engine/client.js").Engine} engine
   * @param {import("../runs/recorded.js").Recordings} recordings
   * @param {import("../state.js").State} state
   * @param {() => void} changed @param {() => void} answered   see `Screen`
   */
  constructor(engine, recordings, state, changed, answered) {
    super(engine, { ...runSettings(state), probe: state.probe }, changed, answered);
    this.recordings = recordings;
    engine.watch(() => this.#engineChanged());
    engine.listen((event) => this.#engineReported(event));
  }

  /**
   * Put the first run on screen.
   * @param {number | null} epoch   null: the last
   * @param {Promise<void> | null} seen   when it resolves, a run without a given epoch is played from its first
   */
  async begin(epoch, seen) {
    await this.#showRecorded();
    if (!this.#isRecorded()) {
      this.#until = epoch;
      this.#goLive("train");
    } else if (epoch !== null) {
      this.setEpoch(epoch);
    } else if (seen) {
      this.setEpoch(0);
      const { run } = this;
      await seen;
      if (this.run === run && this.epoch === 0 && !this.replaying && this.#intent === "reproduce") this.replay();
    }
  }

  /** Epochs the engine has reproduced out of sight, or null when it is not doing so. */
  get reproduced() {
    return this.live && this.run !== this.live && this.#needed > 1 ? Math.max(0, this.live.records.length - 1) : null;
  }

  /** Whether the engine has trained the run of the settings to its end, planned or not, and it is on screen. */
  get hasEnded() {
    const { run, live, training } = this;
    return live !== null && run === live && !training && (live.broken || this.trained >= this.epochs);
  }

  retry() {
    this.engine.load();
  }

  /**
   * Change a setting from a control's text. Returns a sentence when it is wrong; everything then stays as it was.
   * A new probe keeps the run; anything else starts a new one.
   * @param {keyof import("../state.js").ScreenSettings} name @param {string} text
   */
  set(name, text) {
    const { value, error } = parse(name, text);
    if (error !== undefined) return error;
    if (value === this.settings[name]) return "";
    Object.assign(this.settings, { [name]: value });
    if (name === "probe") this.observe();
    else this.#runChanged();
    this.changed();
    return "";
  }

  /** Train a run of these settings from its first epoch. @param {RunSettings} settings */
  trainRun(settings) {
    Object.assign(this.settings, runSettings(settings));
    this.#runChanged("train");
    this.changed();
  }

  /** Keep a recorded run beside those that come. @param {RunSettings} settings   of the recording: task and mask count */
  async keepRecorded({ task, mask }) {
    try {
      await this.comparison.keep(await this.recordings.get(task, mask));
      this.observe();
    } catch (error) {
      this.complain(error);
    }
    this.changed();
  }

  /**
   * Show what a link carries, as if it had just been opened.
   * @param {import("../state.js").State} state
   */
  async open({ epoch, ...settings }) {
    Object.assign(this.settings, settings);
    this.stopReplay();
    this.notice = "";
    if (this.engine.state === "live") {
      this.#until = epoch;
      this.#startLive("train");
    } else {
      await this.begin(epoch, null);
    }
  }

  /** Train to the end of the run; a finished run begins again. */
  train() {
    this.#act("train");
  }

  /** Train one epoch. */
  step() {
    this.#act("step");
  }

  /** Back to the untrained model. */
  reset() {
    this.#act("reset");
  }

  pause() {
    this.live?.pause();
    // The run is being started, and will not train; or it rests, and the worker has nothing to report.
    if (!this.live || this.engine.resting) this.training = false;
    this.changed();
  }

  /** @param {Intent} intent */
  #act(intent) {
    this.stopReplay();
    this.notice = "";
    if (this.engine.state !== "live") {
      if (intent === "reset") this.goTo(0);
      this.#goLive(intent);
      return;
    }
    const live = this.live;
    const over = !live || this.run !== live || this.trained >= this.epochs;
    if (intent === "reset" || over || live.records.length === 0) {
      this.#startLive(intent);
      return;
    }
    this.following = true;
    this.goTo(this.trained);
    this.#workTowards(live, intent === "step" ? this.trained + 1 : this.epochs);
    this.changed();
  }

  /** Have the engine carry out an intent as soon as it is live. @param {Intent} intent */
  #goLive(intent) {
    this.#intent = intent;
    if (this.engine.state === "live") this.#startLive(intent);
    else this.engine.load();
    this.changed();
  }

  /** @param {LiveRun} live @param {number} until */
  #workTowards(live, until) {
    this.training = true;
    live.train(until).catch(() => {}); // only a run that has been replaced refuses; its successor reports
  }

  /** Start a run in the engine and carry out the intent with it. @param {Intent} intent */
  async #startLive(intent) {
    const id = this.engine.newRun();
    this.#latestStart = id;
    this.training = intent === "train" || intent === "step";
    this.#intent = "reproduce";
    this.live = null; // what the run before still reports no longer counts
    this.changed();
    let facts;
    try {
      facts = await this.engine.api.start(id, engineSettings(this.settings));
    } catch (error) {
      this.training = false;
      this.complain(error);
      this.changed();
      return;
    }
    if (id !== this.#latestStart) return; // another start came while this one was on its way
    const live = new LiveRun(this.engine, id, facts);
    this.live = live;
    this.stepsPerSecond = 0;
    this.#needed = intent === "reproduce" ? (this.run?.records.length ?? 1) : 1;
    const end = Math.min(this.#until ?? facts.train.epochs, facts.train.epochs);
    this.#until = null;
    const paused = intent !== "reproduce" && !this.training;
    live.train(paused ? 0 : { train: end, step: 1, reset: 0, reproduce: this.trained }[intent]).catch(() => {});
    this.changed();
  }

  #isRecorded() {
    return isDefaultRun(this.settings) && this.recordings.has(this.settings.task, this.settings.mask);
  }

  async #showRecorded() {
    const { task, mask } = this.settings;
    try {
      const run = await this.recordings.get(task, mask);
      if (task === this.settings.task && mask === this.settings.mask && !this.isLive) this.show(run);
    } catch (error) {
      this.complain(error);
    }
    this.changed();
  }

  /** @param {Intent | null} intent   what to do with the new run; null: train if the one before was training */
  #runChanged(intent = null) {
    this.stopReplay();
    this.notice = "";
    if (this.engine.state === "live") {
      this.#startLive(intent ?? (this.training ? "train" : "reset"));
      return;
    }
    const recorded = this.#isRecorded();
    if (recorded) this.#showRecorded();
    if (intent || !recorded) this.#goLive(intent ?? (this.#intent === "reproduce" ? "reset" : this.#intent));
  }

  #engineChanged() {
    if (this.engine.state === "failed") {
      this.live = null;
      this.training = false;
      this.observe();
    } else if (this.engine.state === "live" && !this.live) {
      this.#startLive(this.#intent);
    }
    this.changed();
  }

  /** @param {import("../engine/protocol.js").EngineEvent} event */
  #engineReported(event) {
    const live = this.live;
    if (!live || event.run !== live.id) return;
    if (event.type === "epoch") {
      live.records.push(event.record);
      if (this.run === live && this.following) this.goTo(this.trained);
      if (this.run !== live && live.records.length >= this.#needed) this.#takeOver(live);
    } else if (event.type === "speed") {
      this.stepsPerSecond = event.stepsPerSecond;
    } else if (event.goal === live.goal) {
      this.training = false;
      live.until = null;
      live.broken = event.type === "error";
      if (event.type === "error") this.notice = event.message;
    }
    this.changed();
  }

  /** Put the engine's run on screen; one that reproduces what is there, at the same epoch. @param {LiveRun} live */
  #takeOver(live) {
    if (live.records.length === 1) {
      this.show(live);
    } else {
      this.run = live;
      this.observe();
    }
  }
}
