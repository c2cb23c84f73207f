// The pictures of what the trainer shows: its maps, one by one or together, and its curves.
import { curvePicture } from "../pictures/curve_svg.js";
import { heatmapPicture } from "../pictures/heatmap_svg.js";
import { runName } from "../share/names.js";
import { siteName } from "../share/site.js";
import { differingWords } from "./differences.js";
import { headsOf } from "./maps.js";
import { nats, percent } from "./sentences.js";
import { accuracyCurve, lossCurve } from "./series.js";

/** @typedef {import("../pictures/svg.js").Picture} Picture */
/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {NonNullable<import("./screen.js").Screen["shown"]>} Shown */

/** All that can be saved now. @param {import("./controller.js").TrainerController} view @returns {Picture[]} */
export function trainerPictures(view) {
  const { run, epoch, comparison, shown } = view;
  if (!run) return [];
  const kept = comparison.run;
  const curves = ({ title = "", file = "" }, /** @type {typeof lossCurve} */ curve, /** @type {string} */ name, /** @type {(value: number) => string} */ format) => ({
    label: title,
    file: `${runName(run.facts)}-epoch${epoch}-${file}`,
    draw: () => curvePicture(
      { title, words: `${differingWords(run.facts)}; epoch ${epoch}${kept ? `. Kept run: ${differingWords(kept.facts)}` : ""}`, site: siteName() },
      curve(run, epoch, kept), { name, format },
    ),
  });
  return [
    ...(shown ? maps(run.facts, shown, "") : []),
    ...(kept && comparison.shown ? maps(kept.facts, comparison.shown, "Kept run: ") : []),
    curves({ title: "Token CE loss", file: "loss" }, lossCurve, "loss in nats per token", nats),
    curves({ title: "Token accuracy", file: "accuracy" }, accuracyCurve, "share of tokens that are right", (value) => percent(value, 1)),
  ];
}

/** The grid of heads first, then each. @param {RunFacts} facts
 * @param {Pick<Shown, "probe" | "epoch" | "observation">} shown @param {string} prefix @returns {Picture[]} */
function maps(facts, shown, prefix) {
  const heads = headsOf(facts, shown);
  const words = `${differingWords(facts)}; epoch ${shown.epoch}; probe ${shown.probe}`;
  const file = `${prefix ? "kept-" : ""}${runName(facts)}-epoch${shown.epoch}-${shown.probe}`;
  const columns = facts.model.n_heads;
  const attention = prefix ? `${prefix}attention` : "Attention";
  const sheet = (/** @type {string} */ what) => ({ title: `${attention}, ${what}`, words, site: siteName() });
  return [
    { label: prefix ? "Kept run: all heads" : "All heads", file: `${file}-heads`, draw: () => heatmapPicture(sheet("head by head"), heads, columns) },
    ...heads.map((head, i) => ({
      label: prefix + head.name,
      detail: true,
      file: `${file}-layer${Math.floor(i / columns) + 1}-head${(i % columns) + 1}`,
      draw: () => heatmapPicture(sheet(head.name.toLowerCase()), [head], 1),
    })),
  ];
}
