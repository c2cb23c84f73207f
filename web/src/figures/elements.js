// The figures' elements, for the page.
import { AttentionLookup } from "./attention_lookup/element.js";
import { GradientDepth } from "./gradient_depth/element.js";
import { LayerFlops } from "./layer_flops/element.js";

export const ELEMENTS = {
  "attention-lookup": AttentionLookup,
  "layer-flops": LayerFlops,
  "gradient-depth": GradientDepth,
};
