// <head-spread>: how far the scores of the run on screen spread, head by head, beside the prediction.
import { RunFigure } from "../run_figure.js";
import { parts } from "./view.js";

export class HeadSpread extends RunFigure {
  legend = "Bar: measured standard deviation of q · k. Dashed: √d_k, as predicted. Solid: independent entries of the sizes measured.";

  question() {
    return { name: "score_spread_of_run", args: {} };
  }

  /** @param {import("./view.js").Head[]} answer */
  show(answer) {
    if (this.subject) this.fill(parts(answer, this.subject));
  }
}
