// What the figures are called where they stand alone: in pictures, and for screen readers in frames.

/** By tag. @type {Record<string, string>} */
export const TITLES = {
  "attention-lookup": "Attention as a lookup",
  "shape-table": "The tensors of one layer",
  "score-spread": "Spread of the scores, and what softmax makes of them",
  "head-spread": "Spread of a trained model’s scores, head by head",
  "softmax-jacobian": "Softmax and its Jacobian",
  "causal-mask": "What a causal mask does",
  "layer-flops": "Operations of one layer",
  "block-diagram": "One block, pre-norm and post-norm",
  "gradient-depth": "Size of the gradient, layer by layer",
  "micro-trainer": "A small Transformer, training in the page",
};
