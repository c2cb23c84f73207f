// The static form, made when the site is built. Formulas are TeX between \( and \), which the build turns into MathML.
import { parts } from "./view.js";

export const tag = "attention-lookup";

const TOKENS = 4;
/** The token that is shown first: "it". */
const FIRST = 3;

/** @param {number} token @returns {import("../questions.js").Question} */
const asks = (token) => ({ name: "lookup", args: { token } });

export const questions = Array.from({ length: TOKENS }, (_, token) => asks(token));

/** @param {(question: import("../questions.js").Question) => any} answer   what was recorded */
export function template(answer) {
  const first = answer(asks(FIRST));
  const { query, stages, output } = parts(first);
  const choices = first.tokens.map(
    (/** @type {string} */ name, /** @type {number} */ token) =>
      `<label><input type="radio" name="lookup-token" value="${token}"${token === FIRST ? " checked" : ""}>` +
      `<span>${name}</span></label>`,
  );
  return `
<div class="figure-controls" role="radiogroup" aria-label="Token that attends">
  <span class="label" aria-hidden="true">Token that attends</span><div class="segmented">${choices.join("")}</div>
</div>
<p data-part="query">${query}</p>
<table class="numbers">
  <thead><tr><th scope="col">Key</th><th scope="col">\\(q \\cdot k_j\\)</th>
    <th scope="col">\\(/\\sqrt{d_k}\\)</th><th scope="col">softmax</th><th scope="col">weight × \\(v_j\\)</th></tr></thead>
  <tbody data-part="stages">${stages}</tbody>
</table>
<p>Sum: <output data-part="output">${output}</output></p>`;
}
