// A figure that asks about the run on screen: about the trainer's, once the engine holds it; until then about the
// default run, as the build recorded it. On a page without a trainer it has the default run trained.
import { trainDefaultRun } from "../runs/default_run.js";
import { LiveRun } from "../runs/live.js";
import { onScreen } from "../runs/on_screen.js";
import { Figure } from "./figure.js";
import { keyOf } from "./questions.js";
import { PROBE, recorded, SETTINGS } from "./subject.js";

export class RunFigure extends Figure {
  /** What the answer that `show` receives is about. @type {import("./subject.js").Subject | null} */
  subject = null;
  #visible = false;
  #behind = false;

  constructor() {
    super();
    onScreen.watch(() => this.#runChanged());
    this.engine.watch(() => this.#needRun());
    // An epoch that nobody sees here is not asked about: the engine has a run to train.
    new IntersectionObserver(([entry]) => {
      this.#visible = entry.isIntersecting;
      if (this.#visible) this.catchUp();
    }).observe(this);
  }

  /** The run that the engine can be asked about, or null: then recorded answers are shown. */
  get live() {
    const { shown } = onScreen;
    return shown?.run instanceof LiveRun && shown.run.isReachable ? { ...shown, run: shown.run } : null;
  }

  /** The probe to ask about. */
  get probe() {
    return this.live?.probe ?? PROBE;
  }

  /** @override @param {import("./questions.js").Question} question */
  async ask({ name, args }) {
    const { live } = this;
    if (!live) {
      this.subject = recorded((await this.recording()).answers[keyOf(SETTINGS)]);
      return undefined;
    }
    const { run, epoch, probe } = live;
    try {
      const answer = await this.engine.api.askAbout(run.id, epoch, name, args);
      this.subject = { settings: run.facts, epoch, probe };
      this.dataset.about = `${run.id}@${epoch}`;
      return answer;
    } catch (error) {
      if (run.id === this.engine.latestRun) throw error;
      return null; // replaced meanwhile: its successor asks when it is put on screen
    }
  }

  /** Show the run on screen, if what is drawn is of one before. */
  async catchUp() {
    if (!this.#behind) return;
    this.#behind = false;
    await this.refresh();
  }

  #runChanged() {
    this.#behind = true;
    if (this.#visible) this.catchUp();
  }

  #needRun() {
    if (this.engine.state !== "live" || this.live || document.querySelector("micro-trainer")) return;
    trainDefaultRun(this.engine, PROBE).catch((error) => this.tell(error));
  }
}
