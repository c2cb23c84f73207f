// The settings of model and training that a reader may turn: ranges, defaults, and what each means in one line.
// Any of them goes with any other: every number of heads divides every width.

/** @typedef {import("../state.js").Choice & {definition: string}} KnobChoice   definition: HTML */
/** @typedef {import("../state.js").Switch & {definition: string}} KnobSwitch */

/** @param {number[]} values @returns {[number, string][]} */
const numbers = (values) => values.map((value) => [value, String(value)]);

export const KNOBS = {
  n_layers: /** @type {KnobChoice} */ ({
    kind: "choice",
    label: "Layers",
    link: "layers",
    default: 2,
    choices: numbers([1, 2, 3, 4]),
    definition: "Blocks of attention and feedforward, one after the other.",
  }),
  n_heads: /** @type {KnobChoice} */ ({
    kind: "choice",
    label: "Heads",
    link: "heads",
    default: 2,
    choices: numbers([1, 2, 4]),
    definition: "Attention maps per layer; each head works on <i>d<sub>k</sub></i> = <i>d</i>&nbsp;/&nbsp;heads numbers.",
  }),
  d_model: /** @type {KnobChoice} */ ({
    kind: "choice",
    label: "Width d",
    link: "d",
    default: 32,
    choices: numbers([8, 16, 32, 64]),
    definition: "Numbers per position in the residual stream; the feedforward is 2<i>d</i> wide.",
  }),
  norm: /** @type {KnobChoice} */ ({
    kind: "choice",
    label: "Norm",
    default: "pre",
    choices: [["pre", "Pre"], ["post", "Post"], ["none", "None"]],
    definition: "Where RMSNorm stands: before each sublayer, after each addition, or nowhere.",
  }),
  scale_scores: /** @type {KnobSwitch} */ ({
    kind: "switch",
    label: "Scale scores",
    link: "scale",
    default: true,
    definition: "Divide <i>q·k</i> by √<i>d<sub>k</sub></i> before the softmax.",
  }),
  positions: /** @type {KnobSwitch} */ ({
    kind: "switch",
    label: "Positions",
    default: true,
    definition: "Add a learned vector for its position to each token’s vector.",
  }),
  learning_rate: /** @type {KnobChoice} */ ({
    kind: "choice",
    label: "Learning rate",
    link: "lr",
    default: 0.001,
    choices: numbers([0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03]),
    definition: "Step size of Adam, the form of gradient descent.",
  }),
  batch_size: /** @type {KnobChoice} */ ({
    kind: "choice",
    label: "Batch",
    link: "batch",
    default: 64,
    choices: numbers([16, 32, 64, 128, 256, 512]),
    definition: "Sequences per step; larger batches mean fewer steps in an epoch.",
  }),
};
