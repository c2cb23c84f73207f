// The static form, made when the site is built: all stages. Formulas are TeX between \( and \), which the build turns
// into MathML.
import { LARGEST, RECORDED, STEP, asks } from "./asks.js";
import { parts } from "./view.js";

export const tag = "attention-lookup";
export const questions = RECORDED;

/** The token that is shown first: "it". */
const FIRST = 3;
const STAGES = ["Scores", "Scaled", "Weights", "Sum"];

/** @param {string} name @param {string} value @param {boolean} checked @param {string} text @param {string} [more] */
const choice = (name, value, checked, text, more = "") =>
  `<label><input type="radio" name="${name}" value="${value}"${more}${checked ? " checked" : ""}><span>${text}</span></label>`;

/** @param {(question: import("../questions.js").Question) => any} answer   what was recorded */
export function template(answer) {
  /** @type {import("./view.js").Lookup} */
  const first = answer(asks(FIRST));
  const { tokens, keys, values, stages, total, output, words } = parts(first);
  const choices = first.tokens.map((name, token) =>
    choice("lookup-token", String(token), token === FIRST, name, ` data-link="token" data-words="Token that attends" data-query="${first.q[token].join()}"`),
  );
  const steps = STAGES.map((name, i) => choice("lookup-stage", String(i + 1), i + 1 === STAGES.length, name, ' data-link="stage" data-words="shown up to"'));
  const inputs = first.query.map(
    (value, i) =>
      `<input type="number" class="q" data-link="q" data-words="its query" value="${value}" min="${-LARGEST}" max="${LARGEST}" step="${STEP}"` +
      ` aria-label="${["First", "Second"][i]} number of the query">`,
  );
  return `
<div class="figure-controls needs-script">
  <div class="pair" role="radiogroup" aria-label="Token that attends">
    <span class="label" aria-hidden="true">Token that attends</span><div class="segmented">${choices.join("")}</div>
  </div>
  <div class="pair" role="group" aria-label="Its query">
    <span class="label" aria-hidden="true">Its query \\(q\\)</span>${inputs.join("")}<button type="button" class="own">Restore</button>
  </div>
</div>
<div class="vectors">
  <table class="tokens">
    <thead><tr><td></td><th scope="col">\\(q\\)</th><th scope="col">\\(k\\)</th><th scope="col">\\(v\\)</th></tr></thead>
    <tbody data-part="tokens">${tokens}</tbody>
  </table>
  <div class="plane-pair">
    <div><p class="title">Keys and query</p><div data-part="keys">${keys}</div></div>
    <div><p class="title">Values and their sum</p><div data-part="values">${values}</div></div>
  </div>
</div>
<p class="key">Dotted: how far each key points along \\(q\\). <span class="stage-4">Tip to tail: the weighted values; blue:
  their sum.</span></p>
<div class="figure-controls needs-script">
  <div class="pair" role="radiogroup" aria-label="Show up to">
    <span class="label" aria-hidden="true">Show up to</span><div class="segmented">${steps.join("")}</div>
  </div>
</div>
<table class="numbers stages">
  <thead><tr><th scope="col">Key</th><th scope="col">\\(q \\cdot k_j\\)</th>
    <th scope="col" class="stage-2">\\(s_j\\) <span class="wide">\\(= q \\cdot k_j / \\sqrt{${first.query.length}}\\)</span></th>
    <th scope="col" class="stage-3 exponential">\\(e^{s_j}\\)</th>
    <th scope="col" class="stage-3"><span class="wide">weight </span>\\(p_j\\)</th><th scope="col" class="stage-4">\\(p_j v_j\\)</th></tr></thead>
  <tbody data-part="stages">${stages}</tbody>
  <tfoot><tr><th scope="row" colspan="3"><span class="stage-3">Sum</span></th><td class="stage-3 exponential" data-part="total">${total}</td>
    <td class="stage-3"></td><td class="stage-4"><output data-part="output">${output}</output></td></tr></tfoot>
</table>
<p class="stage-3" data-part="words">${words}</p>`;
}
