// The figures' elements, for the page.
import { AttentionLookup } from "./attention_lookup/element.js";
import { ShapeTable } from "./shape_table/element.js";
import { ScoreSpread } from "./score_spread/element.js";
import { HeadSpread } from "./head_spread/element.js";
import { SoftmaxJacobian } from "./softmax_jacobian/element.js";
import { CausalMask } from "./causal_mask/element.js";
import { LayerFlops } from "./layer_flops/element.js";
import { BlockDiagram } from "./block_diagram/element.js";
import { GradientDepth } from "./gradient_depth/element.js";

export const ELEMENTS = {
  "attention-lookup": AttentionLookup,
  "shape-table": ShapeTable,
  "score-spread": ScoreSpread,
  "head-spread": HeadSpread,
  "softmax-jacobian": SoftmaxJacobian,
  "causal-mask": CausalMask,
  "layer-flops": LayerFlops,
  "block-diagram": BlockDiagram,
  "gradient-depth": GradientDepth,
};
