// The static form, made when the site is built. Formulas are TeX between \( and \), which the build turns into MathML.
import { parts } from "./view.js";

export const tag = "score-spread";

/** d_k that is shown first, and the others that are recorded. */
const FIRST = 128;
const WIDTHS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const LARGEST = WIDTHS[WIDTHS.length - 1];

/** @param {number} d_k @returns {import("../questions.js").Question} */
const asks = (d_k) => ({ name: "score_spread", args: { d_k, seed: 0 } });

export const questions = WIDTHS.map(asks);

/** @param {(question: import("../questions.js").Question) => any} answer   what was recorded */
export function template(answer) {
  const first = answer(asks(FIRST));
  const shown = parts(first, 0);
  const part = (/** @type {string} */ name, element = "span") =>
    `<${element} data-part="${name}">${shown[name]}</${element}>`;
  return `
<div class="figure-controls needs-script">
  <label class="width"><span class="label">Width \\(d_k\\)</span>
    <input type="range" min="0" max="${Math.log2(LARGEST)}" step="any" value="${Math.log2(FIRST)}"
      aria-label="Width d_k, on a logarithmic scale" aria-valuetext="${FIRST}"></label>
  <input type="number" data-link="d_k" data-words="Width d_k" min="1" max="${LARGEST}" value="${FIRST}" aria-label="Width d_k" inputmode="numeric">
  <button type="button">Draw again</button>
</div>
<p class="assumed">The entries of \\(q\\) and \\(k\\) are drawn independently, with mean 0 and variance 1. Then the variance of
  \\(q \\cdot k\\), a sum of \\(d_k\\) products, is \\(d_k\\).</p>
<div class="spreads">
  <div class="spread">
    <p class="heading"><span class="score">\\(q \\cdot k\\)</span> <span class="std">std
      <b class="spread-measured-ink">${part("unscaled-std")}</b>,
      predicted <b class="spread-predicted-ink">${part("unscaled-predicted")}</b></span></p>
    ${part("unscaled-histogram", "div")}
  </div>
  <div class="spread">
    <p class="heading"><span class="score">\\(q \\cdot k / \\sqrt{d_k}\\)</span> <span class="std">std
      <b class="spread-measured-ink">${part("scaled-std")}</b>,
      predicted <b class="spread-predicted-ink">1</b></span></p>
    ${part("scaled-histogram", "div")}
  </div>
  <div class="softened">
    <p class="heading">${part("unscaled-heading")}</p>
    ${part("unscaled-softmax", "div")}
  </div>
  <div class="softened">
    <p class="heading">${part("scaled-heading")}</p>
    ${part("scaled-softmax", "div")}
  </div>
</div>
<p class="legend"><span class="key"></span>measured std <span class="key predicted-key"></span>predicted std (standard
  deviation). Each histogram is drawn to its own height. Softmax: the weights of a row, sorted, and its entropy
  −Σ <i>P</i> ln <i>P</i> in nats, 0 where one key has all the weight; means over the rows.</p>
<p class="legend">${part("drawn")}</p>`;
}
