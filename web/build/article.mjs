// The figures and formulas of the pages, around the Python that answers and assembles:
//   node web/build/article.mjs questions             prints what the figures ask: {tag: [{key, name, args}]}
//   node web/build/article.mjs figures ANSWERS OUT   ANSWERS: {tag: {key: answer}}; writes OUT/<tag>.json, the static
//                                                    form of each figure and its answers
//   node web/build/article.mjs math PAGE...          turns the TeX in pages into MathML, in place
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyOf } from "../src/figures/questions.js";
import { BUILT } from "../src/figures/source.js";
import { TEMPLATES } from "../src/figures/templates.js";
import { withMath } from "./math.mjs";

const [command, ...paths] = process.argv.slice(2);

function printQuestions() {
  const asked = TEMPLATES.map(({ tag, questions }) => [
    tag, questions.map((question) => ({ key: keyOf(question), ...question })),
  ]);
  console.log(JSON.stringify(Object.fromEntries(asked)));
}

/** @param {string} file @param {string} out */
function writeFigures(file, out) {
  /** @type {Record<string, Record<string, any>>} */
  const answers = JSON.parse(readFileSync(file, "utf8"));
  for (const { tag, questions, template } of TEMPLATES) {
    const form = template((question) => {
      const key = keyOf(question);
      if (!(key in answers[tag])) throw new Error(`<${tag}> uses ${key}, which is not among its questions.`);
      return answers[tag][key];
    });
    // Filled by the page's script: what the controls are set to, for paper; and what can be done with the figure.
    const settings = form.includes("data-words") ? '<p class="settings"></p>\n' : "";
    const source = questions.length ? `<p class="source">${BUILT}</p>` : "";
    const foot = `${settings}<div class="figure-foot">${source}<div class="tools"></div></div>\n`;
    // Without autocomplete="off", Firefox fills controls after a reload with what they had before it.
    const controls = form.replace(/<(input|select)(?=[ >])/g, '<$1 autocomplete="off"');
    const html = withMath(`${controls}\n${foot}`);
    writeFileSync(join(out, `${tag}.json`), JSON.stringify({ html, answers: answers[tag] }));
  }
}

try {
  if (command === "questions") printQuestions();
  if (command === "figures") writeFigures(paths[0], paths[1]);
  if (command === "math") for (const page of paths) writeFileSync(page, withMath(readFileSync(page, "utf8")));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
