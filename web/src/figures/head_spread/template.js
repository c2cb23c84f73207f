// The static form, made when the site is built: the default run at its last epoch.
import { recorded, SETTINGS } from "../subject.js";
import { parts } from "./view.js";

export const tag = "head-spread";

/** @type {import("../questions.js").Question} */
const SPREAD = { name: "score_spread_of_run", args: {} };

export const questions = [SPREAD, SETTINGS];

/** @param {(question: import("../questions.js").Question) => any} answer   what was recorded */
export function template(answer) {
  const { run, heads, why } = parts(answer(SPREAD), recorded(answer(SETTINGS)));
  return `
<table class="numbers">
  <caption data-part="run">${run}</caption>
  <thead><tr><th scope="col">Head</th><th scope="col">size of \\(q\\)</th><th scope="col">size of \\(k\\)</th>
    <th scope="col" class="predicted-ink">\\(\\sqrt{d_k}\\)</th><th scope="col">of these sizes</th>
    <th scope="col" class="measured-ink">std of \\(q \\cdot k\\)</th><td class="bar-cell"></td></tr></thead>
  <tbody data-part="heads">${heads}</tbody>
</table>
<p data-part="why">${why}</p>`;
}
