// The static form: 64 layers of width 32.
import { asks, DEPTH, DEPTHS, recorded, WIDTH, WIDTHS } from "./asks.js";
import { parts } from "./view.js";

export const tag = "gradient-depth";
export const questions = recorded;

/** @param {(question: import("../questions.js").Question) => any} answer   what was recorded */
export function template(answer) {
  const shown = parts(answer(asks(DEPTH, WIDTH, false)));
  const widths = WIDTHS.map((width) =>
    `<label><input type="radio" name="gradient-depth-width" data-link="width" data-words="width" value="${width}"${width === WIDTH ? " checked" : ""}>` +
    `<span>${width}</span></label>`);
  return `
<div class="sliders needs-script">
  <label for="gradient-depth-layers">Layers</label>
  <input type="range" id="gradient-depth-layers" data-link="layers" data-words="Layers" min="${DEPTHS.first}" max="${DEPTHS.last}" value="${DEPTH}">
  <output for="gradient-depth-layers">${DEPTH}</output>
</div>
<div class="figure-controls needs-script">
  <div class="widths" role="radiogroup" aria-label="Width"><span aria-hidden="true">Width</span>
    <div class="segmented">${widths.join("")}</div></div>
  <label class="check"><input type="checkbox" data-link="scaled" data-words="start of W_O and W_down divided by √(2L)"><span>start \\(W_O\\) and \\(W_{\\text{down}}\\) divided by \\(\\sqrt{2L}\\)</span></label>
</div>
<div class="plot" data-part="chart">${shown.chart}</div>
<div class="scroller"><table class="numbers">
  <thead><tr><th scope="col">multiplied by</th><th scope="col">in all</th><th scope="col">a layer</th>
    <th scope="col" data-part="first-half">${shown["first-half"]}</th><th scope="col" data-part="last-half">${shown["last-half"]}</th></tr></thead>
  <tbody data-part="rows">${shown.rows}</tbody>
</table></div>
<p class="sentence" data-part="sentence">${shown.sentence}</p>`;
}
