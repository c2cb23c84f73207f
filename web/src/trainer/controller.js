// What the trainer does, without a page: which run is on screen, which epoch of it, and what happens next.
//
// Two runs may exist at once. `run` is on screen: first a recorded one, later the engine's. `live` is the engine's;
// when the engine starts without having been told to train, it reproduces the recorded run out of sight and takes
// over when it has caught up, so that nothing on screen jumps.
import { LiveRun } from "../runs/live.js";
import { RecordedRun } from "../runs/recorded.js";
import { engineSettings, parse, runSettings, settingsOf } from "../state.js";
import { beyondControls } from "./beyond.js";
import { Opening } from "./opening.js";
import { RecordedScreen } from "./recorded_screen.js";

/** @typedef {import("../state.js").RunSettings} RunSettings */
/** @typedef {"train" | "step" | "reset" | "reproduce"} Intent */

export class TrainerController extends RecordedScreen {
  /** @type {LiveRun | null} */
  live = null;
  training = false;
  stepsPerSecond = 0;
  /** What a link carries, while it is being put on screen. @type {Opening | null} */
  opening = null;

  /** What to do once the engine is live. @type {Intent} */
  #intent = "reproduce";
  /** Records that the engine's run needs before it is put on screen: one, or as many as the run it reproduces. */
  #needed = 1;
  /** Where the next run is to end, if not where it is planned to. @type {number | null} */
  #until = null;
  /** Number of the run that was asked for last. */
  latestStart = 0;
  /** Why the engine has refused that run: a sentence, or "". */
  refusal = "";
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /**
   * @param {import("../engine/client.js").Engine} engine
   * @param {import("../runs/recorded.js").Recordings} recordings
   * @param {import("../state.js").State} state
   * @param {() => void} changed @param {() => void} answered   see `Screen`
   */
  constructor(engine, recordings, state, changed, answered) {
    const told = () => {
      for (const check of this.#waiting) check();
      changed();
    };
    super(engine, recordings, { ...runSettings(state), probe: state.probe }, told, answered);
    engine.watch(() => this.#engineChanged());
    engine.listen((event) => this.#engineReported(event));
  }

  /** Resolves once something is so. @param {() => boolean} holds @returns {Promise<void>} */
  when(holds) {
    return new Promise((resolve) => {
      const check = () => {
        if (!holds()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }

  /**
   * Put the first run on screen.
   * @param {import("../state.js").State} state
   * @param {Promise<void> | null} seen   when it resolves, a recorded run of which no epoch is given is played from its
   *   first
   */
  async begin(state, seen) {
    const playing = seen && this.isRecorded() && state.epoch === null && state.trained === null && !state.kept;
    if (!playing) return this.open(state);
    await this.showRecorded();
    this.setEpoch(0);
    const { run } = this;
    await seen;
    if (this.run === run && this.epoch === 0 && !this.replaying && this.#intent === "reproduce") this.replay();
  }

  /** Epochs the engine has reproduced out of sight, or null when it is not doing so. */
  get reproduced() {
    return this.live && this.run !== this.live && this.#needed > 1 ? Math.max(0, this.live.records.length - 1) : null;
  }

  /** Whether the run of the settings is on screen with its end, planned or not, and nothing is about to replace it. */
  get hasEnded() {
    const { run, live, training } = this;
    if (!run || training) return false;
    const complete = this.trained >= this.epochs;
    if (run instanceof RecordedRun) return complete && this.#intent === "reproduce" && this.isOfSettings(run);
    return run === live && (live.broken || complete);
  }

  /** Whether the engine's run is on screen, and rests. */
  get rests() {
    return this.live !== null && this.run === this.live && !this.training;
  }

  /** Whether the run on screen comes from a file, or has settings that only a file can bring. */
  get fromFile() {
    return this.isLive && (this.live?.origin !== "" || Object.keys(this.beyond).length > 0);
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
    if (name === "probe") {
      this.observe();
    } else {
      this.beyond = {};
      this.opening = null;
      this.#until = null;
      this.#runChanged();
    }
    this.changed();
    return "";
  }

  /**
   * Train a run of these settings from its first epoch.
   * @param {RunSettings} settings @param {import("../engine/protocol.js").Settings} beyond   without a control
   * @param {number | null} until   where to stop; null: where it is planned to end
   */
  trainRun(settings, beyond = {}, until = null) {
    Object.assign(this.settings, runSettings(settings));
    this.beyond = beyond;
    this.#until = until;
    this.#runChanged("train");
    this.changed();
  }

  /** Put a run on screen that the engine holds, and that comes from a file.
   * @param {number} id @param {import("../engine/protocol.js").RestoredRun} restored @param {string} origin   the file's name */
  adopt(id, { history, ...facts }, origin) {
    const live = new LiveRun(this.engine, id, facts);
    Object.assign(live, { records: history, origin });
    this.latestStart = id;
    this.live = live;
    this.opening = null;
    this.training = false;
    this.stepsPerSecond = 0;
    this.#takeSettings(facts);
    this.show(live);
    this.changed();
  }

  /** Show what a link carries. @param {import("../state.js").State} state */
  async open(state) {
    this.stopReplay();
    this.notice = "";
    this.#intent = "reproduce";
    const opening = new Opening(this, state);
    this.opening = opening;
    await opening.run();
    if (this.opening === opening) this.opening = null;
    this.changed();
  }

  /** @param {number} epoch */
  setEpoch(epoch) {
    if (this.opening) this.opening.moved = true;
    super.setEpoch(epoch);
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
    this.opening = null;
    this.#until = null;
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
    this.latestStart = id;
    this.training = intent === "train" || intent === "step";
    this.#intent = "reproduce";
    this.refusal = "";
    const before = this.live;
    this.live = null; // what the run before still reports no longer counts
    this.changed();
    let facts;
    try {
      facts = await this.engine.api.start(id, { ...engineSettings(this.settings), ...this.beyond });
    } catch (error) {
      if (id === this.latestStart) this.#refused(before, intent, error);
      return;
    }
    if (id !== this.latestStart) return; // another start came while this one was on its way
    const live = new LiveRun(this.engine, id, facts);
    this.live = live;
    this.stepsPerSecond = 0;
    const from = intent === "reproduce" || (intent !== "reset" && this.#isCutShort()) ? this.trained : 0;
    this.#needed = from + 1;
    const end = Math.min(this.#until ?? facts.train.epochs, facts.train.epochs);
    this.#until = null;
    const paused = intent !== "reproduce" && !this.training;
    live.train(paused ? from : { train: end, step: from + 1, reset: 0, reproduce: from }[intent]).catch(() => {});
    this.changed();
  }

  /** The engine has refused a run: the one before stays.
   * @param {LiveRun | null} before @param {Intent} intent   of the refused run @param {unknown} error */
  #refused(before, intent, error) {
    this.live = before;
    this.#until = null;
    this.training = false;
    if (this.run) this.#takeSettings(this.run.facts);
    this.complain(error);
    this.refusal = this.notice;
    if (!before && intent !== "reproduce" && this.run instanceof RecordedRun) this.reproduce();
    this.changed();
  }

  /** @param {import("../engine/protocol.js").RunFacts} facts */
  #takeSettings(facts) {
    Object.assign(this.settings, settingsOf(facts));
    this.beyond = Object.fromEntries(beyondControls(facts));
  }

  /** Whether a recorded run of the settings is on screen that goes on: its sender had left it before its end. */
  #isCutShort() {
    const { run } = this;
    return run instanceof RecordedRun && this.trained < this.epochs && this.isOfSettings(run);
  }

  /** Have the engine reproduce the recorded run on screen, if it is live. */
  reproduce() {
    if (this.engine.state === "live") this.#startLive("reproduce");
  }

  /** @param {Intent | null} intent   what to do with the new run; null: train if the one before was training */
  #runChanged(intent = null) {
    this.stopReplay();
    if (!this.opening) this.notice = "";
    if (this.engine.state === "live") {
      this.#startLive(intent ?? (this.training ? "train" : "reset"));
      return;
    }
    const recorded = this.isRecorded();
    if (recorded) this.showRecorded();
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

  /** @param {import("../engine/protocol.js").RunEvent} event */
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
