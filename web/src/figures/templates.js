// The figures' static forms, for the build.
import * as attentionLookup from "./attention_lookup/template.js";
import * as shapeTable from "./shape_table/template.js";
import * as scoreSpread from "./score_spread/template.js";
import * as headSpread from "./head_spread/template.js";
import * as softmaxJacobian from "./softmax_jacobian/template.js";
import * as causalMask from "./causal_mask/template.js";
import * as layerFlops from "./layer_flops/template.js";
import * as blockDiagram from "./block_diagram/template.js";
import * as gradientDepth from "./gradient_depth/template.js";

/** @typedef {import("./questions.js").Question} Question */

/**
 * @typedef {object} Template
 * @property {string} tag
 * @property {Question[]} questions   what the build records
 * @property {(answer: (question: Question) => any) => string} template
 */

/** @type {Template[]} */
export const TEMPLATES = [
  attentionLookup,
  shapeTable,
  scoreSpread,
  headSpread,
  softmaxJacobian,
  causalMask,
  layerFlops,
  blockDiagram,
  gradientDepth,
];
