// The address bar: follows what is on screen, and is followed where a link within the page changes it.
import { follow, use } from "../share/address_bar.js";
import { openedLink } from "../share/opened.js";
import { carriesState, experimentIn, toFragment } from "../state.js";

/** @typedef {import("./controller.js").TrainerController} TrainerController */

export class Address {
  /** Whether the reader has used the figure: until then the address stays as it was opened. */
  used = false;

  /**
   * @param {(opened: import("../share/opened.js").Opened) => void} open   a link to a state was followed
   * @param {(id: string) => void} choose   a link to an experiment was followed
   */
  constructor(open, choose) {
    window.addEventListener("hashchange", () => {
      const experiment = experimentIn(location.hash);
      if (carriesState(location.hash)) open(openedLink(location.hash));
      else if (experiment !== null) choose(experiment);
    });
    // A link to where the address already is changes nothing in it, and is meant all the same.
    document.addEventListener("click", ({ target }) => {
      const link = target instanceof Element ? target.closest("a") : null;
      const experiment = link && experimentIn(link.hash);
      if (experiment && link.hash === location.hash) choose(experiment);
    });
  }

  /** The reader uses the trainer. */
  use() {
    this.used = true;
    use(this);
  }

  /** Keep the link in the address bar true, once the screen has come to rest.
   * @param {TrainerController} view @param {() => import("../state.js").State} read */
  follow(view, read) {
    follow(this, view.training || view.replaying || view.opening ? null : toFragment(read()));
  }
}
