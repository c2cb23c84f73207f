// Formulas: TeX between \( and \), or between \[ and \] on lines of their own, becomes MathML, which browsers draw
// themselves. Temml writes it. The site's policy allows no style attributes, so those that Temml writes become classes;
// styles/math.css has their rules.
import temml from "temml";
import { CHARACTERS } from "./math_font.mjs";

const FORMULA = /\\\((.+?)\\\)|\\\[(.+?)\\\]/gs;

/** Style attributes that Temml writes, and the classes that stand for them. An unknown one stops the build. */
/** @type {Record<string, string>} */
const CLASSES = {
  "display:block math;": "",
  "math-depth:0;": "math-depth-0",
  "padding-left:0em;padding-right:0em;": "cell-tight",
  "padding-left:1em;padding-right:0em;": "cell-apart",
  "padding-left:0em;padding-right:5.9776pt;": "cell-first",
  "padding-left:5.9776pt;padding-right:5.9776pt;": "cell-inner",
  "padding-left:5.9776pt;padding-right:0em;": "cell-last",
};

/** The text with its formulas as MathML. @param {string} html */
export function withMath(html) {
  return html.replace(FORMULA, (_, inline, display) => {
    const tex = unescape(inline ?? display).trim();
    const mathml = temml.renderToString(tex, { displayMode: inline === undefined, throwOnError: true, strict: true });
    return label(withClasses(mathml, tex), tex);
  });
}

/** TeX stands in HTML, where < and & are written as entities. @param {string} text */
const unescape = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** @param {string} mathml @param {string} tex */
function withClasses(mathml, tex) {
  const strange = [...mathml.replace(/<[^>]*>|&#?\w+;/g, "")].find((c) => c > "~" && !CHARACTERS.includes(c));
  if (strange) {
    throw new Error(`The formula ${tex} needs “${strange}”, which math_font.mjs leaves out of the font; add it there.`);
  }
  // See .short-root in math.css.
  const marked = mathml.replace(/<msqrt>(?=(?:(?!<\/msqrt>|<mfrac>).)*<\/msqrt>)/gs, '<msqrt class="short-root">');
  return marked.replace(/<(\w+)([^>]*?) style="([^"]*)"([^>]*)>/g, (_, name, before, style, after) => {
    if (!(style in CLASSES)) throw new Error(`The formula ${tex} has the style ${style}; math.mjs must name a class.`);
    return addClass(`<${name}${before}${after}>`, CLASSES[style]);
  });
}

/** @param {string} element @param {string} name */
function addClass(element, name) {
  if (!name) return element;
  if (element.includes('class="')) return element.replace('class="', `class="${name} `);
  return element.replace(/>$/, ` class="${name}">`);
}

/** The source of the formula, for those who copy it. @param {string} mathml @param {string} tex */
function label(mathml, tex) {
  const source = tex.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replace(/\s+/g, " ");
  return mathml.replace("<math", `<math alttext="${source}"`);
}
