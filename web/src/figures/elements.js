// The figures' elements, for the page.
import { AttentionLookup } from "./attention_lookup/element.js";
import { SoftmaxJacobian } from "./softmax_jacobian/element.js";

export const ELEMENTS = {
  "attention-lookup": AttentionLookup,
  "softmax-jacobian": SoftmaxJacobian,
};
