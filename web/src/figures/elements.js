// The figures' elements, for the page.
import { AttentionLookup } from "./attention_lookup/element.js";
import { CausalMask } from "./causal_mask/element.js";

export const ELEMENTS = {
  "attention-lookup": AttentionLookup,
  "causal-mask": CausalMask,
};
