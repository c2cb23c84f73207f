// The static form, made when the site is built. Formulas are TeX between \( and \), which the build turns into MathML.
import { LARGEST, MASKS, PRESETS, PROBE, RECORDED, asksChanges, asksWeights } from "./asks.js";
import { changeParts } from "./changes.js";
import { parts, rows } from "./view.js";

export const tag = "causal-mask";
export const questions = RECORDED;

const [SCORES] = Object.values(PRESETS);
/** The token that is changed first. */
const CHANGED = 1;

const positions = SCORES.map((_, j) => `<th scope="col">${j}</th>`).join("");

/** @param {string} title @param {string} name @param {string} body @param {string} [part] @param {string} [more] */
const matrix = (title, name, body, part = "", more = "") =>
  `<div class="matrix ${part}"><p class="title">${title}</p><table aria-label="${name}">` +
  `<thead><tr><td></td>${positions}${more}</tr></thead><tbody${part && ` data-part="${part}"`}>${body}</tbody></table></div>`;

/** @param {number} score @param {number} i @param {number} j */
const box = (score, i, j) =>
  `<input type="number" class="score" data-link="scores" value="${score}" min="${-LARGEST}" max="${LARGEST}" step="0.5"` +
  ` aria-label="Score of query ${i} for key ${j}">`;

/** @param {(question: import("../questions.js").Question) => any} answer   what was recorded */
export function template(answer) {
  const { mask, masked, weights, words } = parts(answer(asksWeights(SCORES, MASKS[0])));
  const { changes, moves } = changeParts(asksChanges(MASKS[0]).map(answer), CHANGED);
  const choices = MASKS.map(
    (name, i) =>
      `<label><input type="radio" name="causal-mask" data-link="mask" data-words="Mask" value="${name}"${i ? "" : " checked"}>` +
      `<span>${name[0].toUpperCase()}${name.slice(1)}</span></label>`,
  );
  const presets = Object.keys(PRESETS).map((name) => `<button type="button" data-preset="${name}">${name}</button>`);
  const tokens = [...PROBE].map(
    (letter, j) =>
      `<th scope="col"><label><input type="radio" name="causal-changed" data-link="change" value="${j}"${j === CHANGED ? " checked" : ""}` +
      ` aria-label="Change ${letter} at position ${j}"><span>${letter}<small>${j}</small></span></label></th>`,
  );
  return `
<div class="figure-controls needs-script">
  <div class="pair" role="radiogroup" aria-label="Mask">
    <span class="label" aria-hidden="true">Mask</span><div class="segmented">${choices.join("")}</div>
  </div>
  <div class="pair" role="group" aria-label="Scores">
    <span class="label" aria-hidden="true">Scores</span>${presets.join("")}
  </div>
</div>
<div class="matrices">
  ${matrix("Scores \\(S\\)", "Scores S, query by key", rows(SCORES, box))}
  <span class="operator" aria-hidden="true">+</span>
  ${matrix("Mask \\(M\\)", "Mask M", mask, "mask")}
  <span class="operator" aria-hidden="true">=</span>
  ${matrix("\\(S + M\\)", "S plus M", masked, "masked")}
  <p class="key">Rows are queries, columns are keys.<br><span class="swatch"></span> forbidden: \\(e^{-\\infty} = 0\\)
    exactly.</p>
  <span class="operator" aria-hidden="true">→</span>
  ${matrix("\\(P = \\mathrm{softmax}(S + M)\\)", "Weights P", weights, "weights", '<th scope="col" class="sum">sum</th>')}
</div>
<p data-part="words">${words}</p>
<div class="change">
  <p class="title">Change a token of ${PROBE}: how far does each output move?</p>
  <table class="changes" aria-label="Largest change of any logit">
    <thead><tr><th scope="col" class="corner">output</th>${tokens.join("")}<th scope="col" class="moves">change</th></tr></thead>
    <tbody data-part="changes">${changes}</tbody>
  </table>
  <p data-part="moves">${moves}</p>
  <p class="key">A column per token that is replaced, a row per output: the largest change of any of its logits (the scores
    that the model gives the letters), over all other letters. The model is the recorded one that the trainer shows
    first, trained to reverse under the bidirectional mask, after its last epoch; the same weights serve under either mask.</p>
</div>`;
}
