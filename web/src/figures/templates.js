// The figures' static forms, for the build.
import * as attentionLookup from "./attention_lookup/template.js";
import * as blockDiagram from "./block_diagram/template.js";
import * as gradientDepth from "./gradient_depth/template.js";
import * as layerFlops from "./layer_flops/template.js";

/** @typedef {import("./questions.js").Question} Question */

/**
 * @typedef {object} Template
 * @property {string} tag
 * @property {Question[]} questions   what the build records; a figure that asks nothing is a picture, without a script
 * @property {(answer: (question: Question) => any) => string} template
 */

/** @type {Template[]} */
export const TEMPLATES = [attentionLookup, layerFlops, blockDiagram, gradientDepth];
