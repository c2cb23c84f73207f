// The static form: the layer of 2017 at d = T = 4,096.
import { asks, LENGTH, LENGTHS, PRESETS, recorded, WIDTH, WIDTHS } from "./asks.js";
import { forms, parts } from "./view.js";
import { whole } from "../logs.js";

export const tag = "layer-flops";
export const questions = recorded;

/** Row by row: name, and TeX for each form of the layer. */
const LINEAR = {
  qkv: ["\\(Q, K, V\\)", { plain: "6Td^2", grouped: "2Td(d + 2d_{kv})" }],
  output: ["\\(W_O\\)", { plain: "2Td^2" }],
  feedforward: ["feedforward", { plain: "16Td^2", gated: "6Tdf" }],
};
const QUADRATIC = {
  scores: ["scores \\(QK^\\mathsf{T}\\)", { plain: "2T^2d", half: "T^2d" }],
  values: ["values \\(PV\\)", { plain: "2T^2d", half: "T^2d" }],
};

/** @param {(question: import("../questions.js").Question) => any} answer   what was recorded */
export function template(answer) {
  const first = answer(asks(LENGTH, "", WIDTH, false));
  const shown = parts(first);
  const formula = forms(first);
  const presets = PRESETS.map((key) => {
    const { preset, d } = answer(asks(1024, key, WIDTH, false));
    return `<option value="${key}" data-d="${d}" data-context="${preset.context}">${preset.name}</option>`;
  });

  /** @param {[string, any]} row */
  const row = ([name, [title, variants]]) => {
    const versions = Object.entries(variants).map(([form, tex]) => {
      const off = form === (Reflect.get(formula, name) ?? "plain") ? "" : " data-off";
      return `<span data-form="${form}"${off}>\\(${tex}\\)</span>`;
    });
    return `<tr><th scope="row"><span class="swatch piece-${name}"></span>${title}</th>` +
      `<td class="formula"><div data-row="${name}">${versions.join("")}</div></td>` +
      `<td data-part="${name}-flops">${shown[`${name}-flops`]}</td>` +
      `<td data-part="${name}-share">${shown[`${name}-share`]}</td></tr>`;
  };

  return `
<div class="figure-controls needs-script">
  <label>Layer of <select data-link="model" data-words="Layer of"><option value="">Vaswani et al. 2017</option>${presets.join("")}</select></label>
  <label class="check"><input type="checkbox" data-link="causal_half" data-words="only the causal half of the pairs counted"> count only the causal half of the pairs</label>
</div>
<div class="sliders needs-script">
  ${slider("d", "Width", WIDTHS, WIDTH)}
  ${slider("T", "Tokens", LENGTHS, LENGTH)}
</div>
<div class="plot" data-part="chart">${shown.chart}</div>
<div class="sides"><span class="linear">linear layers <output data-part="linear-share">${shown["linear-share"]}</output></span>
  <span class="quadratic">scores and values <output data-part="quadratic-share">${shown["quadratic-share"]}</output></span></div>
<div data-part="bar">${shown.bar}</div>
<div class="scroller"><table class="numbers">
  <caption data-part="of">${shown.of}</caption>
  <thead><tr><th scope="col">Product</th><th scope="col">Formula</th><th scope="col">FLOPs</th><th scope="col">Share</th></tr></thead>
  <tbody>${Object.entries(LINEAR).map(row).join("")}</tbody>
  <tbody>${Object.entries(QUADRATIC).map(row).join("")}</tbody>
  <tfoot><tr><th scope="row">together</th><td></td><td data-part="total">${shown.total}</td><td>100%</td></tr></tfoot>
</table></div>
<p class="sizes" data-part="source">${shown.source}</p>
<p class="sentence" data-part="sentence">${shown.sentence}</p>`;
}

/** @param {string} id @param {string} name @param {number[]} stops @param {number} at */
const slider = (id, name, stops, at) => `<label for="layer-flops-${id}">${name} <i>${id}</i></label>` +
  `<input type="range" id="layer-flops-${id}" data-link="${id}" data-words="${name.toLowerCase()} ${id}" data-stops="${stops}" min="0" max="${stops.length - 1}" value="${stops.indexOf(at)}" ` +
  `aria-valuetext="${whole(at)}"><output for="layer-flops-${id}">${whole(at)}</output>`;
