// The trainer's markup, made from the table of properties. Static: everything that changes is filled in by element.js.
import { PROPERTIES, write } from "../state.js";
import { EXPERIMENTS } from "./experiments.js";
import { KNOBS } from "./knobs.js";

/** @param {"task" | "mask"} name @param {string} id */
function radios(name, id) {
  const { label, choices } = PROPERTIES[name];
  const options = choices.map(
    ([value, text]) =>
      `<label><input type="radio" name="${id}-${name}" value="${value}" data-setting="${name}"><span>${text}</span></label>`,
  );
  return `<div class="field" role="radiogroup" aria-label="${label}">
    <span class="label" aria-hidden="true">${label}</span><div class="segmented">${options.join("")}</div></div>`;
}

const KNOB_NAMES = /** @type {(keyof typeof KNOBS)[]} */ (Object.keys(KNOBS));

/** Probes to pick with one press; the recorded ones, so that they answer before the engine runs. */
export const PICKS = ["FACE", "HEAD", "ABCD", "EDGE"];

/** A setting of model or training, and what it means. @param {keyof typeof KNOBS} name @param {string} id */
function knob(name, id) {
  const knob = KNOBS[name];
  const attributes = `id="${id}-${name}" data-setting="${name}" aria-describedby="${id}-${name}-means"`;
  const options = (/** @type {import("../state.js").Choice["choices"]} */ choices) =>
    choices.map(([value, label]) => `<option value="${write(value)}">${label}</option>`).join("");
  const control =
    knob.kind === "switch"
      ? `<input type="checkbox" role="switch" ${attributes}>`
      : `<select ${attributes}>${options(knob.choices)}</select>`;
  return `<div class="knob"><label for="${id}-${name}">${knob.label}</label>${control}
    <p id="${id}-${name}-means">${knob.definition}</p></div>`;
}

/** One of several experiments or answers. @param {string} name @param {string} value @param {string} text */
export const option = (name, value, text) =>
  `<label><input type="radio" name="${name}" value="${value}"><span>${text}</span></label>`;

/** @param {string} id */
const experiments = (id) => `<details class="experiments">
    <summary>Try an experiment</summary>
    <div role="radiogroup" aria-label="Experiment" class="options" data-options="experiment">
      ${EXPERIMENTS.map((experiment) => option(`${id}-experiment`, experiment.id, experiment.title)).join("")}
    </div>
    <div class="experiment" hidden>
      <p class="sets"></p>
      <p><b>Before you run it:</b> <span class="question"></span></p>
      <div role="radiogroup" aria-label="Your expectation" class="options" data-options="answer"></div>
      <button type="button" class="primary" data-action="experiment">Run it</button>
      <div class="outcome"></div>
    </div>
  </details>`;

/** @param {string} id */
const takeAway = (id) => `<details class="take-away">
    <summary>Take away</summary>
    <dl>
      <dt>History</dt>
      <dd><button type="button" data-take="csv">CSV</button> <button type="button" data-take="json">JSON</button>
        <span class="means">Every epoch, all digits. CE in nats per token, accuracy from 0 to 1; JSON has the settings, too.</span></dd>
      <dt data-live>Weights</dt>
      <dd data-live><button type="button" data-take="weights">Weights of epoch 0</button> <button type="button" data-take="run">Whole run</button>
        <span class="means">For <code>MicroTransformer.load</code> and <code>Trainer.load</code>; NumPy reads both (.npz).</span></dd>
      <dt>Python</dt>
      <dd><pre tabindex="0" aria-label="Python code of this run"></pre>
        <button type="button" data-take="copy">Copy</button> <button type="button" data-take="py">Save .py</button></dd>
      <dt data-live data-opens>Open</dt>
      <dd data-live data-opens><label class="file"><input type="file" id="${id}-file" accept=".npz,.json" aria-describedby="${id}-file-means"><span>Open a run…</span></label>
        <span class="means" id="${id}-file-means">A whole run (.npz) goes on here; the settings of a JSON file are trained again. A file may also be dropped on the trainer; it does not leave this device.</span></dd>
    </dl>
    <p class="told" role="status"></p>
  </details>`;

/** @param {string} id   unique on the page */
export function template(id) {
  const { probe, seed, epoch } = PROPERTIES;
  return `
<div class="controls">
  ${radios("task", id)}
  ${radios("mask", id)}
  <div class="field probe">
    <label class="label" for="${id}-probe">${probe.label}</label>
    <div class="row">
      <input id="${id}-probe" class="letters" type="text" data-setting="probe" autocomplete="off" autocapitalize="characters"
        spellcheck="false" aria-describedby="${id}-probe-error">
      <div class="picks" role="group" aria-label="Probes to pick">
        ${PICKS.map((word) => `<button type="button" class="pick" data-pick="${word}">${word}</button>`).join("")}
      </div>
    </div>
    <p class="error" id="${id}-probe-error" aria-live="polite"></p>
  </div>
  <div class="field seed">
    <label class="label" for="${id}-seed">${seed.label}</label>
    <input id="${id}-seed" type="text" inputmode="numeric" data-setting="seed" autocomplete="off"
      aria-describedby="${id}-seed-error">
    <p class="error" id="${id}-seed-error" aria-live="polite"></p>
  </div>
  <div class="buttons">
    <button type="button" data-action="reset">Reset</button>
    <button type="button" data-action="step">Step</button>
    <button type="button" class="primary" data-action="train">Train</button>
  </div>
</div>
<div class="more">
  <details class="knobs">
    <summary>Model and training</summary>
    <div class="knob-list">${KNOB_NAMES.map((name) => knob(name, id)).join("")}</div>
    <p class="size"></p>
  </details>
  ${experiments(id)}
  ${takeAway(id)}
  <button type="button" data-action="keep">Keep this run for comparison</button>
</div>
<div class="paper"></div>
<div class="panes">
  <div class="maps">
    <div class="pair">
      <div class="side">
        <p class="which now" hidden></p>
        <div class="grid"></div>
      </div>
      <div class="side kept" hidden>
        <p class="which"><span></span> <button type="button" data-action="drop">Drop</button></p>
        <p class="gap"></p>
        <div class="grid"></div>
      </div>
    </div>
    <p class="key">
      <span>Row: the query, which looks. Column: the key, looked at.</span>
      <span class="scale">0 <canvas width="96" height="10" aria-hidden="true"></canvas> 1</span>
      <span class="measured"></span>
      <span class="masked"><i class="swatch"></i> not allowed</span>
    </p>
    <p class="cell" aria-live="polite"></p>
  </div>
  <div class="scores">
    <div class="metrics">
      <p><label class="label" for="${id}-ce">Token CE loss</label>
        <output id="${id}-ce" aria-live="off">–</output> <span class="limit" data-limit="ce"></span></p>
      <p><label class="label" for="${id}-accuracy">Token accuracy</label>
        <output id="${id}-accuracy" aria-live="off">–</output> <span class="limit" data-limit="accuracy"></span></p>
    </div>
    <div class="curve" data-curve="ce"></div>
    <div class="curve low" data-curve="accuracy"></div>
    <table class="positions"></table>
  </div>
</div>
<div class="timeline">
  <button type="button" data-action="replay" class="replay">Replay</button>
  <label class="label" for="${id}-epoch">${epoch.label}</label>
  <input id="${id}-epoch" type="range" min="0" max="0" step="1" value="0">
  <output class="epoch" for="${id}-epoch" aria-live="off"></output>
</div>
<div class="engine">
  <p class="status" role="status"></p>
  <progress hidden max="1" value="0" aria-label="Loading the engine"></progress>
  <span class="bytes"></span>
  <button type="button" data-action="retry" hidden>Retry</button>
  <label class="loops" hidden><input type="checkbox" data-action="loops"> SIMD loops</label>
  <div class="tools"></div>
</div>
<p class="notice" role="alert"></p>
<p class="caption"></p>`;
}
