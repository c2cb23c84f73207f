// <micro-trainer>: the figure that trains. Builds the controls, and draws what the controller holds, at most once a
// frame.
import { sharedEngine, siteConfig } from "../engine/shared.js";
import { TITLES } from "../figures/titles.js";
import { onScreen } from "../runs/on_screen.js";
import { Recordings } from "../runs/recorded.js";
import { leadTo } from "../share/link.js";
import { opened, openedLink } from "../share/opened.js";
import { addTools } from "../share/tools.js";
import { carriesState, changed, namesEpoch, toFragment, toTexts, write } from "../state.js";
import { Curve } from "../widgets/curve.js";
import { Positions } from "../widgets/positions.js";
import { setText } from "../widgets/text.js";
import { Address } from "./address.js";
import { beyondNote } from "./beyond.js";
import { Broadcast } from "./broadcast.js";
import { ComparisonView } from "./comparison_view.js";
import { TrainerController } from "./controller.js";
import { ControlsView } from "./controls_view.js";
import { ExperimentsPanel } from "./experiments_panel.js";
import { seen, watchInterest } from "./interest.js";
import { Maps } from "./maps.js";
import { drawForPaper } from "./paper.js";
import { trainerPictures } from "./pictures.js";
import { accuracyCurve, lossCurve } from "./series.js";
import { describeView, modelSize, nats, percent, singledOut } from "./sentences.js";
import { TakeAway } from "./take_away.js";
import { template } from "./template.js";

/** @typedef {import("../state.js").ScreenSettings} ScreenSettings */

let instances = 0;

export class MicroTrainer extends HTMLElement {
  /** The frame for which drawing is planned, or 0. */
  #frame = 0;
  /** Whether an answer has been drawn since the last frame. */
  #early = false;
  #broadcast = new Broadcast(this);

  connectedCallback() {
    if (this.controller) return;
    const linked = openedLink(location.hash);
    const id = `trainer${++instances}`;
    this.innerHTML = template(id);
    const recordings = new Recordings(siteConfig().recorded);
    const controller = new TrainerController(
      sharedEngine(), recordings, linked.state, () => this.#changed(), () => this.#answered(),
    );
    this.controller = controller;
    const tell = (/** @type {string} */ text) => this.#text(".cell", text);
    this.maps = new Maps(this.#get(".side .grid"), "", tell);
    this.comparison = new ComparisonView(this.#get(".pair"), tell);
    this.experiments = new ExperimentsPanel(this, id, controller, () => this.#schedule());
    this.takeAway = new TakeAway(this, controller);
    this.controls = new ControlsView(this);
    const choose = (/** @type {string} */ experiment) => {
      this.experiments?.open(experiment);
      this.#schedule();
    };
    this.address = new Address((followed) => {
      this.#open(followed, controller.open(followed.state));
      leadTo(this);
    }, choose);
    const pick = (/** @type {number} */ epoch) => controller.setEpoch(epoch);
    this.lossCurve = new Curve(this.#get("[data-curve=ce]"), "Loss curve", nats, pick);
    this.accuracyCurve = new Curve(
      this.#get("[data-curve=accuracy]"), "Accuracy curve", (a) => percent(a, 1), pick,
    );
    this.positions = new Positions(/** @type {HTMLTableElement} */ (this.#get(".positions")));
    this.#connectControls(controller);
    addTools(this.#get(".tools"), {
      title: TITLES[this.localName],
      fragment: () => toFragment(this.#state) || "#train",
      name: "trainer",
      state: () => this.changed(),
      caveat: () => (controller.fromFile ? "A link has the settings that have controls; the file’s run stays here." : ""),
      pictures: () => trainerPictures(controller),
    });
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || namesEpoch(location.hash);
    this.#open(linked, controller.begin(linked.state, calm ? null : seen(this)));
    if (carriesState(location.hash)) leadTo(this);
    this.#changed();
    watchInterest(this, () => controller.showInterest());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
    drawForPaper(this.#get(".paper"), controller);
  }

  /** What a link to the screen carries. @returns {import("../state.js").State} */
  get #state() {
    const { state } = /** @type {TrainerController} */ (this.controller);
    const { experiment, answer, outcome } = /** @type {ExperimentsPanel} */ (this.experiments).state;
    return { ...state, knobs: this.#get("details.knobs").hasAttribute("open"), experiment, answer, outcome };
  }

  /** The whole state, as links write it; see share/shareable.js. */
  read() {
    return toTexts(this.#state);
  }

  /** What differs from the default: what a link carries. */
  changed() {
    return changed(this.#state);
  }

  /** @param {import("../share/shareable.js").Texts} given @returns {string[]} */
  open(given) {
    const controller = /** @type {TrainerController} */ (this.controller);
    const linked = opened(given, this.#state, controller.epochs || undefined);
    this.#open(linked, controller.open(linked.state));
    return linked.notices;
  }

  /** What a link has besides its run, and the sentences about it.
   * @param {import("../share/opened.js").Opened} opened @param {Promise<void>} shown   settles with the run on screen */
  async #open({ state, notices }, shown) {
    this.#get("details.knobs").toggleAttribute("open", state.knobs);
    this.#get("details.experiments").toggleAttribute("open", state.experiment !== "");
    this.experiments?.open(state.experiment, state.answer);
    if (notices.length) this.controller?.tell(notices);
    await shown;
    if (state.outcome) this.experiments?.experiment.resume();
    this.#schedule();
  }

  /** @param {string} action */
  act(action) {
    const controller = /** @type {TrainerController} */ (this.controller);
    if (action === "train") controller.train();
    else if (action === "pause") controller.pause();
    else if (action === "step") controller.step();
    else if (action === "reset") controller.reset();
    else if (action === "replay") controller.replay();
    else return false;
    return true;
  }

  /** @template {HTMLElement} [E=HTMLElement] @param {string} selector @returns {E} */
  #get(selector) {
    return /** @type {E} */ (this.querySelector(selector));
  }

  /** @param {TrainerController} controller */
  #connectControls(controller) {
    for (const type of ["change", "input", "click"]) {
      this.addEventListener(type, () => this.#goOn(), { capture: true });
    }
    this.addEventListener("toggle", () => this.#schedule(), { capture: true }); // links say which panels are open
    this.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
      const checked = target.type === "checkbox" && /** @type {HTMLInputElement} */ (target).checked;
      if (target.dataset.action === "loops") controller.engine.useLoops(checked);
      const setting = /** @type {keyof ScreenSettings | undefined} */ (target.dataset.setting);
      if (!setting || setting === "probe") return; // a probe is tried as it is typed
      if (target.type === "text") this.#try(setting, target);
      else controller.set(setting, target.type === "checkbox" ? write(checked) : target.value);
    });
    this.addEventListener("input", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.type === "range") controller.setEpoch(Number(target.value));
      if (target.dataset.setting === "probe") this.#try("probe", target);
    });
    this.addEventListener("focusout", () => this.#schedule()); // a field that was left shows what it means: " head " is HEAD
    this.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button?.dataset.pick) this.#pick(button.dataset.pick);
      switch (button?.dataset.action) {
        case "train":
          return controller.training ? controller.pause() : controller.train();
        case "step":
        case "reset":
        case "replay":
          return this.act(button.dataset.action);
        case "retry":
          return controller.retry();
        case "keep":
          return controller.keep();
        case "drop":
          return this.#drop();
        case "experiment":
          return this.experiments?.run();
      }
    });
  }

  /** The reader uses the figure. */
  #goOn() {
    this.address?.use();
    this.controller?.goOn();
  }

  /** @param {keyof ScreenSettings} setting @param {HTMLInputElement | HTMLSelectElement} field */
  #try(setting, field) {
    const error = this.controller?.set(setting, field.value) ?? "";
    const kept = `Still showing ${this.controller?.settings[setting]}.`;
    this.#get(`#${field.getAttribute("aria-describedby")}`).textContent = error && `${error} ${kept}`;
    field.setAttribute("aria-invalid", String(error !== ""));
  }

  /** @param {string} word */
  #pick(word) {
    const input = /** @type {HTMLInputElement} */ (this.#get("[data-setting=probe]"));
    input.value = word;
    this.#try("probe", input);
  }

  #drop() {
    this.controller?.drop();
    this.#get("[data-action=keep]").focus(); // the button that had it is gone
  }

  /** What is pressed is answered at once; the rest of the picture may wait for the next frame. */
  #changed() {
    const { engine, training } = /** @type {TrainerController} */ (this.controller);
    this.experiments?.experiment.follow();
    this.#broadcast.note(training);
    Object.assign(this.dataset, { engine: engine.state, training: String(training) });
    document.documentElement.toggleAttribute("data-training", training); // see article.css
    this.#text("[data-action=train]", training ? "Pause" : "Train");
    this.#schedule();
  }

  /** Draw in the next frame, however many changes come before it. */
  #schedule() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** An answer is what the reader waits for: it is drawn at once, so that the next frame has it; a second answer before
   * that frame is drawn with it. */
  #answered() {
    if (this.#early) return this.#schedule();
    this.#early = true;
    requestAnimationFrame(() => (this.#early = false));
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#draw();
  }

  /** Draw the canvases again, in the colours of another theme. */
  redraw() {
    this.maps?.redraw();
    this.comparison?.maps.redraw();
    this.lossCurve?.draw();
    this.accuracyCurve?.draw();
  }

  #draw() {
    const view = /** @type {TrainerController} */ (this.controller);
    const { run, record, shown, comparison } = view;
    Object.assign(this.dataset, {
      source: view.isLive ? "live" : "recorded",
      trained: String(view.trained),
      opening: String(view.opening !== null),
      observed: shown ? `${shown.probe}@${shown.epoch}` : "",
      kept: comparison.shown ? `${comparison.shown.probe}@${comparison.shown.epoch}` : "",
    });
    this.controls?.draw(view);
    if (!run) return;
    const { facts } = run;
    if (record) {
      this.#text("output[id$=-ce]", nats(record.ce));
      this.#text("output[id$=-accuracy]", percent(record.accuracy, 1));
    }
    this.#text("[data-limit=ce]", `nats, limit ${nats(facts.limit.ce)}`);
    this.#text("[data-limit=accuracy]", `limit ${percent(facts.limit.accuracy, 2)}`);
    if (run.records.length) {
      this.lossCurve?.update(lossCurve(run, view.epoch, comparison.run));
      this.accuracyCurve?.update(accuracyCurve(run, view.epoch, comparison.run));
    }
    if (shown) {
      // A run that waits at epoch 0 to be seen and played: elsewhere on the page, its end is of interest.
      const waits = !this.address?.used && !view.replaying && view.epoch === 0;
      onScreen.show(waits ? { ...shown, epoch: view.trained } : shown);
      this.maps?.update(facts, shown);
      this.#text(".caption", describeView(view));
      if (record) this.positions?.update(shown.probe, shown.observation, record, facts.limit);
    }
    this.#text(".size", `${modelSize(facts)} ${beyondNote(facts)}`.trim());
    this.#text(".measured", singledOut(facts));
    this.#get(".masked").hidden = ![facts, comparison.run?.facts].some((each) => each?.train.mask === "causal");
    this.comparison?.draw(view);
    this.experiments?.draw();
    this.takeAway?.draw(view);
    this.address?.follow(view, () => this.#state);
    this.#broadcast.follow(view, () => this.read());
  }

  /** @param {string} selector @param {string} text */
  #text(selector, text) {
    setText(this.#get(selector), text);
  }
}
