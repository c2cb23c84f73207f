// The static form, made when the site is built. Formulas are TeX between \( and \), which the build turns into MathML.
import { fixed } from "../numbers.js";
import { atStop, FIRST, STOPS } from "./stops.js";
import { parts, REACH, scoreBar, tint } from "./view.js";

export const tag = "softmax-jacobian";

const SCORES = [2, 1, 0, -1];

/** @param {number} scale @returns {import("../questions.js").Question} */
const asks = (scale) => ({ name: "jacobian_picture", args: { scores: SCORES, scale } });

export const questions = Array.from({ length: STOPS.last - STOPS.first + 1 }, (_, i) => asks(atStop(STOPS.first + i)));

/** @param {(question: import("../questions.js").Question) => any} answer   what was recorded */
export function template(answer) {
  const shown = parts(answer(asks(atStop(FIRST))));
  const part = (/** @type {string} */ name, element = "span") =>
    `<${element} data-part="${name}">${shown[name]}</${element}>`;
  const rows = SCORES.map(
    (score, j) => `<tr><th scope="row">${j + 1}</th>
      <td class="score"><div><div data-part="score-${j}">${scoreBar(score)}</div><input class="needs-script" type="range" data-link="scores"
        min="${-REACH}" max="${REACH}" step="0.1" value="${score}" aria-label="Score ${j + 1}"></div></td>
      <td class="value" data-part="value-${j}">${fixed(score, 1)}</td>
      <td class="p answer">${part(`p-${j}`, "div")}</td></tr>`,
  );
  const scales = questions.map(({ args }) => args.scale).join();
  const swatches = [-1, -0.5, 0, 0.5, 1].map((share) => `<span>${tint(share / 4)}</span>`);
  return `
<div class="figure-controls">
  <label class="scale"><span class="label">Scale</span>
    <input class="needs-script" type="range" data-link="scale" data-stops="${scales}" min="${STOPS.first}" max="${STOPS.last}" value="${FIRST}"
      aria-label="Scale" aria-valuetext="${atStop(FIRST)}">
    <output data-part="scale">${atStop(FIRST)}</output></label>
</div>
<div class="jacobian-panes">
  <table class="score-rows">
    <thead><tr><td></td><th scope="col">Score</th><td></td><th scope="col">\\(P\\)</th></tr></thead>
    <tbody>${rows.join("")}</tbody>
  </table>
  <table class="matrix answer">
    <thead><tr><th scope="col">\\(J\\)</th>${SCORES.map((_, m) => `<th scope="col">${m + 1}</th>`).join("")}</tr></thead>
    <tbody data-part="jacobian">${shown.jacobian}</tbody>
  </table>
</div>
<div class="about-matrix">
  <p>\\(P = \\mathrm{softmax}(S)\\), with \\(S = \\text{scale} \\cdot \\text{score}\\);
    \\(J_{jm} = \\partial P_j / \\partial S_m\\)</p>
  <p class="tints" aria-hidden="true">−¼ ${swatches.join("")} ¼</p>
</div>
<dl class="norms answer">
  <div><dt>Frobenius norm</dt><dd><output data-part="frobenius">${shown.frobenius}</output></dd></div>
  <div><dt>Spectral norm <span class="limit-ink">≤ ½</span></dt>
    <dd><output data-part="spectral">${shown.spectral}</output></dd></div>
</dl>
<p class="line answer">${part("line")}</p>
<p class="heading">Frobenius norm of J over the scale</p>
<div class="norm-curve answer">${part("curve", "div")}</div>`;
}
