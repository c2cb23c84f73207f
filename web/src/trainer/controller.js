// What the trainer does, without a page: which run is on screen, which epoch of it, and what happens next.
//
// Two runs may exist at once. `run` is on screen: first a recorded one, later the engine's. `live` is the engine's;
// when the engine starts without having been told to train, it reproduces the recorded run out of sight and takes
// over when it has caught up, so that nothing on screen jumps.
import { LiveRun } from "../runs/live.js";
import { parse } from "../state.js";
import { Observer } from "./observer.js";

/** @typedef {import("../runs/recorded.js").RecordedRun} RecordedRun */
/** @typedef {"train" | "step" | "reset" | "reproduce"} Intent */

/** Milliseconds per epoch when a run is replayed. */
const REPLAY_MS = 90;

export class TrainerController {
  /** @type {RecordedRun | LiveRun | null} */
  run = null;
  /** @type {LiveRun | null} */
  live = null;
  /** The epoch on screen. */
  epoch = 0;
  /** Whether the screen stays with the latest epoch as training goes on. */
  following = true;
  training = false;
  replaying = false;
  stepsPerSecond = 0;
  /** A sentence for the reader about the last thing that went wrong, or "". */
  notice = "";

  /** What to do once the engine is live. @type {Intent} */
  #intent = "reproduce";
  /** Records that the engine's run needs before it is put on screen: one, or as many as the run it reproduces. */
  #needed = 1;
  /** The epoch that a link to a run which is not recorded asks for. @type {number | null} */
  #until = null;
  #latestStart = 0;
  #replayTimer = 0;

  /**
   * @param {import("../engine/client.js").Engine} engine
   * @param {import("../runs/recorded.js").Recordings} recordings
   * @param {import("../state.js").State} state
   * @param {() => void} changed   called after every change, as often as changes come
   * @param {() => void} answered   called instead when the engine has answered about a probe
   */
  constructor(engine, recordings, state, changed, answered) {
    this.engine = engine;
    this.recordings = recordings;
    const { task, mask, probe, seed } = state;
    this.settings = { task, mask, probe, seed };
    this.changed = changed;
    this.observer = new Observer(answered);
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

  /** What the model on screen makes of a probe; null until there is an answer from this very run. */
  get shown() {
    const { shown } = this.observer;
    return shown?.run === this.run ? shown : null;
  }

  get isLive() {
    return this.run instanceof LiveRun;
  }

  /** Epochs the engine has reproduced out of sight, or null when it is not doing so. */
  get reproduced() {
    return this.live && this.run !== this.live && this.#needed > 1 ? Math.max(0, this.live.records.length - 1) : null;
  }

  /** The reader has come to the figure: have the engine ready. */
  showInterest() {
    if (this.engine.state === "recorded") this.engine.load();
  }

  retry() {
    this.engine.load();
  }

  /**
   * Change a setting from a control's text. Returns a sentence when it is wrong; everything then stays as it was.
   * A new task, mask or seed starts a new run; a new probe does not.
   * @param {"task" | "mask" | "seed" | "probe"} name @param {string} text
   */
  set(name, text) {
    const { value, error } = parse(name, text);
    if (error !== undefined) return error;
    if (value === this.settings[name]) return "";
    Object.assign(this.settings, { [name]: value });
    if (name === "probe") this.#observe();
    else this.#runChanged();
    this.changed();
    return "";
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
    if (this.live) this.live.pause();
    else this.training = false; // the run is being started: it will not train
    this.changed();
  }

  /** @param {number} epoch */
  setEpoch(epoch) {
    this.#stopReplay();
    this.#goTo(Math.max(0, Math.min(this.trained, Math.round(epoch))));
    this.following = this.epoch === this.trained;
    this.changed();
  }

  /** Play the run from its first epoch, or stop playing. */
  replay() {
    if (this.replaying) {
      this.#stopReplay();
    } else {
      this.replaying = true;
      this.following = false;
      this.#goTo(0);
      this.#replayTimer = window.setInterval(() => {
        this.#goTo(Math.min(this.epoch + 1, this.trained));
        if (this.epoch === this.trained) this.#stopReplay();
        this.changed();
      }, REPLAY_MS);
    }
    this.changed();
  }

  #stopReplay() {
    window.clearInterval(this.#replayTimer);
    this.replaying = false;
    this.following = this.epoch === this.trained;
  }

  /** @param {Intent} intent */
  #act(intent) {
    this.#stopReplay();
    this.notice = "";
    if (this.engine.state !== "live") {
      if (intent === "reset") this.#goTo(0);
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
    this.#goTo(this.trained);
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
    const { task, mask, seed } = this.settings;
    this.training = intent === "train" || intent === "step";
    this.#intent = "reproduce";
    this.live = null; // what the run before still reports no longer counts
    this.changed();
    let facts;
    try {
      facts = await this.engine.api.start(id, { task, mask, seed });
    } catch (error) {
      this.training = false;
      this.notice = error instanceof Error ? error.message : String(error);
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

  /** Put a run on screen, at its latest epoch. @param {RecordedRun | LiveRun} run */
  #show(run) {
    this.#stopReplay();
    this.run = run;
    this.following = true;
    this.#goTo(this.trained);
  }

  #isRecorded() {
    const { task, mask, seed } = this.settings;
    return this.recordings.has(task, mask, seed);
  }

  async #showRecorded() {
    const { task, mask } = this.settings;
    try {
      const run = await this.recordings.get(task, mask);
      if (task === this.settings.task && mask === this.settings.mask && !this.isLive) this.#show(run);
    } catch (error) {
      this.notice = error instanceof Error ? error.message : String(error);
    }
    this.changed();
  }

  #runChanged() {
    this.#stopReplay();
    this.notice = "";
    if (this.engine.state === "live") this.#startLive(this.training ? "train" : "reset");
    else if (this.#isRecorded()) this.#showRecorded();
    else this.#goLive(this.#intent === "reproduce" ? "reset" : this.#intent);
  }

  /** @param {number} epoch */
  #goTo(epoch) {
    this.epoch = epoch;
    this.#observe();
  }

  #observe() {
    const { run, epoch } = this;
    if (!run?.records[epoch]) return;
    const answered = this.observer.ask({ run, epoch, probe: this.settings.probe });
    // A recorded run knows a handful of probes; for any other the engine has to reproduce the run.
    if (!answered) this.showInterest();
  }

  #engineChanged() {
    if (this.engine.state === "failed") {
      this.live = null;
      this.training = false;
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
      if (this.run === live && this.following) this.#goTo(this.trained);
      if (this.run !== live && live.records.length >= this.#needed) this.#takeOver(live);
    } else if (event.type === "speed") {
      this.stepsPerSecond = event.stepsPerSecond;
    } else if (event.goal === live.goal) {
      this.training = false;
      if (event.type === "error") this.notice = event.message;
    }
    this.changed();
  }

  /** Put the engine's run on screen; one that reproduces what is there, at the same epoch. @param {LiveRun} live */
  #takeOver(live) {
    if (live.records.length === 1) {
      this.#show(live);
    } else {
      this.run = live;
      this.#observe();
    }
  }
}
