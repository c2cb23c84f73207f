// A link on its way to the screen: the run to compare with is kept, then the link's own is shown or trained, then its
// epoch. What the reader does meanwhile comes first: the controller then lets go of this.
import { EPOCHS } from "../runs/package.js";
import { isDefaultRun, runSettings, sameSettings, settingsOf } from "../state.js";

/** @typedef {import("../state.js").State} State */

export class Opening {
  /** Whether the reader has chosen an epoch meanwhile. */
  moved = false;

  /** @param {import("./controller.js").TrainerController} controller @param {State} state */
  constructor(controller, state) {
    this.controller = controller;
    this.state = state;
  }

  get #over() {
    return this.controller.opening !== this;
  }

  async run() {
    const { controller, state } = this;
    controller.settings.probe = state.probe;
    if (!this.#sameKept()) await this.#keep(state.kept);
    if (this.#over) return;
    if (!this.#isOnScreen()) await this.#show();
    if (this.#over || this.moved) return;
    controller.setEpoch(state.epoch ?? controller.trained);
  }

  #sameKept() {
    const { kept } = this.controller.state;
    const wanted = this.state.kept;
    return kept && wanted ? sameSettings(kept, wanted) && kept.trained === wanted.trained : kept === wanted;
  }

  /** Whether the link's run is there, with as many epochs, and no other is to take its place: then nothing has to be
   * trained. */
  #isOnScreen() {
    const { run, settings, state } = this.controller;
    if (!run || state.trained !== this.state.trained) return false;
    return [settingsOf(run.facts), settings].every((each) => sameSettings(each, this.state));
  }

  /** @param {State["kept"]} kept */
  async #keep(kept) {
    const { controller } = this;
    if (!kept) return controller.drop();
    if (isDefaultRun(kept)) return controller.keepRecorded(kept, kept.trained);
    await this.#train(kept, kept.trained);
    if (!this.#over) await controller.keep();
  }

  async #show() {
    const { controller, state } = this;
    controller.beyond = {};
    Object.assign(controller.settings, runSettings(state));
    if (!controller.isRecorded()) return this.#train(state, state.trained);
    const wanted = () => !controller.run || !this.#over; // whatever the reader does first: the figure is not left empty
    if (!(await controller.showRecorded(state.trained ?? EPOCHS, wanted)) || this.#over) return;
    controller.reproduce();
  }

  /** @param {import("../state.js").RunSettings} settings @param {number | null} until */
  async #train(settings, until) {
    const { controller } = this;
    if (!controller.run) await controller.showRecorded(); // until the engine runs, the recorded run stands in
    if (this.#over) return;
    controller.trainRun(settings, {}, until);
    await controller.when(() => this.#over || controller.rests);
  }
}
