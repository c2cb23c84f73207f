// <micro-trainer>: the figure that trains. Builds the controls, and draws what the controller holds, at most once a
// frame.
import { sharedEngine, siteConfig } from "../engine/shared.js";
import { Recordings } from "../runs/recorded.js";
import { fromFragment, toFragment } from "../state.js";
import { Curve } from "../widgets/curve.js";
import { Heatmap } from "../widgets/heatmap.js";
import { Positions } from "../widgets/positions.js";
import { css, viridis } from "../widgets/viridis.js";
import { TrainerController } from "./controller.js";
import { describeView, nats, pattern, percent, shareOn } from "./sentences.js";
import { downloaded, engineStatus } from "./status.js";
import { accuracyCurve, lossCurve } from "./series.js";
import { template } from "./template.js";

let instances = 0;

export class MicroTrainer extends HTMLElement {
  /** @type {{heatmap: Heatmap, measure: HTMLElement}[]} */
  #maps = [];
  /** The frame for which drawing is planned, or 0. */
  #frame = 0;
  /** Whether an answer has been drawn since the last frame. */
  #early = false;
  #linkTimer = 0;
  /** Whether the reader has used the figure: until then the address stays as it was opened. */
  #used = false;

  connectedCallback() {
    if (this.controller) return;
    const state = fromFragment(location.hash);
    const id = `trainer${++instances}`;
    this.innerHTML = template(id);
    const recordings = new Recordings(siteConfig().recorded);
    this.controller = new TrainerController(
      sharedEngine(), recordings, state, () => this.#changed(), () => this.#answered(),
    );
    this.#connectControls(this.controller);
    const pick = (/** @type {number} */ epoch) => this.controller?.setEpoch(epoch);
    this.lossCurve = new Curve(this.#get("[data-curve=ce]"), "Loss curve", nats, pick);
    this.accuracyCurve = new Curve(
      this.#get("[data-curve=accuracy]"), "Accuracy curve", (a) => percent(a, 1), pick,
    );
    this.positions = new Positions(/** @type {HTMLTableElement} */ (this.#get(".positions")));
    this.#drawScale();
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controller.begin(state.epoch, calm ? null : this.#seen());
    this.#changed();
    this.#watchInterest();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#redraw());
  }

  /** @template {HTMLElement} [E=HTMLElement] @param {string} selector @returns {E} */
  #get(selector) {
    return /** @type {E} */ (this.querySelector(selector));
  }

  /** @param {TrainerController} controller */
  #connectControls(controller) {
    for (const type of ["change", "input", "click"]) {
      this.addEventListener(type, () => (this.#used = true), { capture: true });
    }
    this.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.dataset.action === "loops") controller.engine.useLoops(target.checked);
      const { setting } = target.dataset;
      if (setting === "task" || setting === "mask") controller.set(setting, target.value);
      if (setting === "seed") this.#try(setting, target);
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
          return controller.step();
        case "reset":
          return controller.reset();
        case "replay":
          return controller.replay();
        case "retry":
          return controller.retry();
      }
    });
  }

  /** @param {"probe" | "seed"} setting @param {HTMLInputElement} input */
  #try(setting, input) {
    const error = this.controller?.set(setting, input.value) ?? "";
    this.#get(`#${input.getAttribute("aria-describedby")}`).textContent = error && `${error} ${this.#kept(setting)}`;
    input.setAttribute("aria-invalid", String(error !== ""));
  }

  /** @param {"probe" | "seed"} setting */
  #kept(setting) {
    return `Still showing ${this.controller?.settings[setting]}.`;
  }

  /** @param {string} word */
  #pick(word) {
    const input = this.#get("[data-setting=probe]");
    if (!(input instanceof HTMLInputElement)) return;
    input.value = word;
    this.#try("probe", input);
  }

  /** Resolves when a good part of the figure is on the reader's screen. @returns {Promise<void>} */
  #seen() {
    return new Promise((resolve) => {
      const observer = new IntersectionObserver(
        ([entry]) => {
          if (!entry.isIntersecting) return;
          observer.disconnect();
          resolve();
        },
        { rootMargin: "0px 0px -20% 0px" },
      );
      observer.observe(this);
    });
  }

  /** Start the engine when the reader comes to the figure and does something; a page merely opened downloads nothing. */
  #watchInterest() {
    const connection = /** @type {{saveData?: boolean} | undefined} */ (Reflect.get(navigator, "connection"));
    if (connection?.saveData) return; // only Train and its like start it then
    let visible = false;
    let active = false;
    const check = () => {
      if (!visible || !active) return;
      observer.disconnect();
      for (const type of SIGNS) removeEventListener(type, sign);
      this.controller?.showInterest();
    };
    const sign = () => {
      active = true;
      check();
    };
    const observer = new IntersectionObserver(([entry]) => {
      visible = entry.isIntersecting;
      check();
    });
    observer.observe(this);
    for (const type of SIGNS) addEventListener(type, sign, { passive: true });
  }

  /** What is pressed is answered at once; the rest of the picture may wait for the next frame. */
  #changed() {
    const { engine, training } = /** @type {TrainerController} */ (this.controller);
    Object.assign(this.dataset, { engine: engine.state, training: String(training) });
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

  #redraw() {
    for (const { heatmap } of this.#maps) heatmap.draw();
    this.lossCurve?.draw();
    this.accuracyCurve?.draw();
  }

  #draw() {
    const view = /** @type {TrainerController} */ (this.controller);
    const { run, record, shown } = view;
    Object.assign(this.dataset, {
      source: view.isLive ? "live" : "recorded",
      trained: String(view.trained),
      observed: shown ? `${shown.probe}@${shown.epoch}` : "",
    });
    this.#drawControls(view);
    this.#drawStatus(view);
    if (!run) return;
    if (record) {
      this.#text("output[id$=-ce]", nats(record.ce));
      this.#text("output[id$=-accuracy]", percent(record.accuracy, 1));
    }
    this.#text("[data-limit=ce]", `nats, limit ${nats(run.facts.limit.ce)}`);
    this.#text("[data-limit=accuracy]", `limit ${percent(run.facts.limit.accuracy, 2)}`);
    if (run.records.length) {
      this.lossCurve?.update(lossCurve(run.facts, run.records, view.epoch));
      this.accuracyCurve?.update(accuracyCurve(run.facts, run.records, view.epoch));
    }
    if (shown) {
      this.#drawMaps(run.facts, shown);
      this.#text(".caption", describeView(view));
      if (record) this.positions?.update(shown.probe, shown.observation, record, run.facts.limit);
    }
    this.#remember(view);
  }

  /** @param {string} selector @param {string} text */
  #text(selector, text) {
    const element = this.#get(selector);
    if (element.textContent !== text) element.textContent = text;
  }

  /** @param {TrainerController} view */
  #drawControls(view) {
    for (const input of this.querySelectorAll("input")) {
      const setting = /** @type {keyof TrainerController["settings"] | undefined} */ (input.dataset.setting);
      if (!setting) continue;
      const value = String(view.settings[setting]);
      if (input.type === "radio") input.checked = input.value === value;
      // A field that is being typed in, or whose text is explained as wrong, keeps it.
      else if (document.activeElement !== input && input.getAttribute("aria-invalid") !== "true") input.value = value;
    }
    this.#text("[data-action=replay]", view.replaying ? "Stop" : "Replay");
    const slider = /** @type {HTMLInputElement} */ (this.#get("input[type=range]"));
    slider.max = String(view.epochs);
    slider.value = String(view.epoch);
    slider.style.setProperty("--trained", percent(view.trained / Math.max(1, view.epochs), 1));
    this.#text("output.epoch", `${view.epoch} of ${view.epochs}`);
  }

  /** @param {TrainerController} view */
  #drawStatus(view) {
    const { state, progress } = view.engine;
    this.#text(".status", engineStatus(view));
    this.#text(".notice", view.notice);
    this.#text(".bytes", state === "loading" ? downloaded(view.engine) : "");
    const bar = /** @type {HTMLProgressElement} */ (this.#get("progress"));
    bar.hidden = state !== "loading";
    if (progress.phase === "start") bar.removeAttribute("value");
    else bar.value = progress.loaded / Math.max(1, progress.total);
    this.#get("[data-action=retry]").hidden = state !== "failed";
    const { loops } = view.engine;
    const box = /** @type {HTMLInputElement} */ (this.#get("[data-action=loops]"));
    this.#get(".loops").hidden = state !== "live" || !loops?.installed.length;
    box.checked = loops?.on ?? false;
  }

  /**
   * @param {import("../engine/protocol.js").RunFacts} facts
   * @param {NonNullable<TrainerController["shown"]>} shown
   */
  #drawMaps({ model, train }, { probe, observation }) {
    const { n_layers: L, n_heads: H, seq_len: T } = model;
    if (this.#maps.length !== L * H) this.#makeMaps(L, H);
    const allowed = train.mask === "causal" ? (/** @type {number} */ q, /** @type {number} */ k) => k <= q : () => true;
    const singled = pattern(train.task, T);
    this.#maps.forEach(({ heatmap, measure }, head) => {
      const values = Array.prototype.slice.call(observation.attention, head * T * T, (head + 1) * T * T);
      heatmap.update({ tokens: probe, values, allowed });
      const share = singled && percent(shareOn(observation.attention, head, T, singled.key));
      const text = singled ? `${singled.sign} ${share}` : "";
      if (measure.textContent !== text) measure.textContent = text;
    });
    this.#text(".measured", singled ? `${singled.sign} share of the attention on the ${singled.name}` : "");
    this.#get(".masked").hidden = train.mask !== "causal";
  }

  /** @param {number} L @param {number} H */
  #makeMaps(L, H) {
    const grid = this.#get(".grid");
    grid.replaceChildren();
    this.#maps = Array.from({ length: L * H }, (_, i) => {
      const name = `Layer ${Math.floor(i / H) + 1}, head ${(i % H) + 1}`;
      const heatmap = new Heatmap(name, (text) => this.#text(".cell", text));
      const figure = document.createElement("figure");
      const measure = document.createElement("span");
      measure.className = "measure";
      const caption = document.createElement("figcaption");
      caption.append(Object.assign(document.createElement("b"), { textContent: name }), measure);
      figure.append(caption, heatmap.element);
      grid.append(figure);
      return { heatmap, measure };
    });
  }

  #drawScale() {
    const canvas = /** @type {HTMLCanvasElement} */ (this.#get(".scale canvas"));
    const context = canvas.getContext("2d");
    if (!context) return;
    for (let x = 0; x < canvas.width; x++) {
      context.fillStyle = css(viridis(x / (canvas.width - 1)));
      context.fillRect(x, 0, 1, canvas.height);
    }
  }

  /** Keep the link in the address bar true, once the screen has come to rest. @param {TrainerController} view */
  #remember(view) {
    clearTimeout(this.#linkTimer);
    if (!this.#used || view.training || view.replaying) return;
    this.#linkTimer = window.setTimeout(() => {
      const epoch = view.epoch === view.epochs ? null : view.epoch;
      const link = toFragment({ ...view.settings, epoch });
      if (link !== location.hash) history.replaceState(null, "", link || location.pathname + location.search);
    }, LINK_MS);
  }
}

/** What a reader does on arriving at a figure. */
const SIGNS = ["scroll", "wheel", "pointerdown", "touchstart", "keydown"];
/** Browsers refuse an address that changes more than some ten times a second. */
const LINK_MS = 300;
