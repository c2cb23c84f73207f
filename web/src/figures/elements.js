// The figures' elements, for the page.
import { AttentionLookup } from "./attention_lookup/element.js";

export const ELEMENTS = {
  "attention-lookup": AttentionLookup,
};
