// A picture without a script: one block, with the norm in front of each sublayer and with the norm after each addition.

export const tag = "block-diagram";
/** @type {import("../questions.js").Question[]} */
export const questions = [];

/** Of both drawings, in units that are CSS pixels at full size. */
const SIZE = { width: 236, height: 392 };
const STREAM = 50;
const BRANCH = 166;
const BOX = { width: 124, height: 28 };
const START = 30;
const END = 362;

export const template = () => `
<div class="blocks">
${drawing("pre", "Pre-norm", "One pre-norm block. The residual stream runs from x to the block's output without interruption. Two branches leave it and are added to it again: RMSNorm, attention and W_O; then RMSNorm and SwiGLU.", [
  stream(START, END),
  branch(62, ["RMSNorm", "attention", "W_O"], 190),
  branch(236, ["RMSNorm", "SwiGLU"], 322),
])}
${drawing("post", "Post-norm", "One post-norm block. Attention with W_O, and then SwiGLU, branch off the residual stream and are added to it; after each addition the stream itself passes through an RMSNorm.", [
  stream(START, 188),
  branch(62, ["attention", "W_O"], 150),
  box(STREAM, 202, "RMSNorm", 88),
  stream(216, 316),
  branch(248, ["SwiGLU"], 292),
  box(STREAM, 330, "RMSNorm", 88),
  stream(344, END),
])}
</div>`;

/** @param {string} id @param {string} name @param {string} words @param {string[]} content */
function drawing(id, name, words, content) {
  const labels = [["x", START - 10], ["x_out", END + 22]];
  return `<svg viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-labelledby="block-${id} block-${id}-words">
<title id="block-${id}">${name}</title><desc id="block-${id}-words">${words}</desc>
<text class="title" x="${SIZE.width - 8}" y="${START - 8}" text-anchor="end">${name}</text>
${content.join("\n")}
${arrow("stream", STREAM, END, 0, 1)}
${labels.map(([label, y]) => `<text x="${STREAM}" y="${y}" text-anchor="middle">${subscript(String(label))}</text>`).join("")}
</svg>`;
}

/** The residual stream. @param {number} from @param {number} to */
const stream = (from, to) => `<path class="stream" d="M${STREAM} ${from}V${to}"/>`;

/** What leaves the stream, passes through boxes and is added to the stream again.
 * @param {number} from @param {string[]} names @param {number} to */
function branch(from, names, to) {
  const boxes = names.map((name, i) => {
    const y = from + i * 44;
    const into = i ? `<path d="M${BRANCH} ${y - 30}V${y - 20}"/>${arrow("", BRANCH, y - BOX.height / 2, 0, 1)}` : "";
    return into + box(BRANCH, y, name);
  });
  const last = from + (names.length - 1) * 44 + BOX.height / 2;
  return `<path d="M${STREAM} ${from}H${BRANCH - BOX.width / 2 - 6}"/>${arrow("", BRANCH - BOX.width / 2, from, 1, 0)}
${boxes.join("")}
<path d="M${BRANCH} ${last}V${to}H${STREAM + 16}"/>${arrow("", STREAM + 10, to, -1, 0)}
<circle class="plus" cx="${STREAM}" cy="${to}" r="10"/><path class="plus" d="M${STREAM - 5} ${to}h10M${STREAM} ${to - 10}v20"/>`;
}

/** @param {number} x   of its middle @param {number} y @param {string} name @param {number} [width] */
function box(x, y, name, width = BOX.width) {
  const norm = name === "RMSNorm" ? " norm" : "";
  return `<rect class="box${norm}" x="${x - width / 2}" y="${y - BOX.height / 2}" width="${width}" height="${BOX.height}" rx="5"/>` +
    `<text x="${x}" y="${y + 4.5}" text-anchor="middle">${subscript(name)}</text>`;
}

/** The tip of an arrow that points to (x, y). @param {string} name @param {number} x @param {number} y
 * @param {number} dx   -1, 0 or 1 @param {number} dy */
function arrow(name, x, y, dx, dy) {
  const [backX, backY] = [x - 7 * dx, y - 7 * dy];
  return `<path class="tip ${name}" d="M${x} ${y}L${backX + 4 * dy} ${backY + 4 * dx}L${backX - 4 * dy} ${backY - 4 * dx}z"/>`;
}

/** W_O as a letter with an index; words stay words. @param {string} name */
function subscript(name) {
  const [letter, index] = name.split("_");
  if (letter.length > 1) return name;
  return `<tspan class="symbol">${letter}</tspan>${index ? `<tspan class="index" dy="3">${index}</tspan>` : ""}`;
}
