// Attention maps as SVG: tokens on both axes, the numbers in the cells, hatched where the mask forbids. Pure.
import { css, inkOn, viridis } from "../widgets/viridis.js";
import { PALETTE } from "./palette.js";
import { framed, hatching, tag, text } from "./svg.js";

/** @typedef {import("../widgets/heatmap.js").HeatmapData} HeatmapData */
/** @typedef {{name: string, data: HeatmapData}} Map */

const MONO = { "font-family": "monospace" };
const SOFT = { fill: PALETTE["--ink-soft"] };
/** Room for the axis names and the letters. */
const [LEFT, TOP] = [46, 46];
const GAP = 22;
const SCALE = { width: 150, height: 12 };

/** One map, or a grid of them. @param {import("./svg.js").Sheet} sheet @param {Map[]} maps   row by row
 * @param {number} columns */
export function heatmapPicture(sheet, maps, columns) {
  const T = maps[0].data.tokens.length;
  const cell = maps.length === 1 ? 68 : columns > 2 ? 42 : 50;
  const named = maps.length > 1;
  const [w, h] = [LEFT + T * cell, TOP + T * cell + (named ? 20 : 0)];
  const rows = Math.ceil(maps.length / columns);
  const drawn = maps.map(({ name, data }, i) => {
    const [x, y] = [(i % columns) * (w + GAP), Math.floor(i / columns) * (h + GAP)];
    const title = named ? text(name, LEFT, 13, { "font-weight": 700 }) : "";
    const map = tag("g", { transform: `translate(0 ${named ? 20 : 0})` }, heatmap(data, cell));
    return tag("g", { transform: `translate(${x} ${y})` }, title + map);
  });
  const width = columns * w + (columns - 1) * GAP;
  const bottom = rows * h + (rows - 1) * GAP;
  const masked = maps.some(({ data }) => cells(T).some(([query, key]) => !data.allowed(query, key)));
  const legend = tag("g", { transform: `translate(${LEFT} ${bottom + 18})` }, scale() + (masked ? FORBIDDEN : ""));
  return framed(sheet, { width: Math.max(width, LEFT + (masked ? 370 : 270)), height: bottom + 18 + SCALE.height + 18, shapes: drawn.join("\n") + legend });
}

/** @param {number} T @returns {[number, number][]} */
const cells = (T) => Array.from({ length: T * T }, (_, i) => [Math.floor(i / T), i % T]);

/** @param {HeatmapData} data @param {number} size   of a cell */
function heatmap({ tokens, values, allowed }, size) {
  const T = tokens.length;
  const boxes = cells(T).map(([query, key], i) => {
    const [x, y, side] = [LEFT + key * size, TOP + query * size, size - 1];
    const box = { x, y, width: side, height: side };
    if (!allowed(query, key)) {
      return forbidden(box);
    }
    const value = values[i];
    const place = { "text-anchor": "middle", "font-size": size * 0.26, fill: inkOn(value), ...MONO };
    return tag("rect", { ...box, fill: rgb(viridis(value)) }) + text(value.toFixed(2), x + side / 2, y + side / 2 + size * 0.09, place);
  });
  const letter = { "text-anchor": "middle", "font-size": 14, "font-weight": 700, ...SOFT, ...MONO };
  const letters = [...tokens].map((token, i) =>
    text(token, LEFT + (i + 0.5) * size, TOP - 8, letter) + text(token, LEFT - 12, TOP + (i + 0.5) * size + 5, letter));
  const [x, y, middle] = [LEFT + (T * size) / 2, TOP + (T * size) / 2, { "text-anchor": "middle", ...SOFT }];
  const names = [
    text("key (looked at)", x, TOP - 28, middle),
    text("query (looks)", 0, 0, { ...middle, transform: `translate(14 ${y}) rotate(-90)` }),
  ];
  return [...boxes, ...letters, ...names].join("\n");
}

/** What the colours stand for. */
function scale() {
  // Step by step, since LibreOffice draws a gradient in a few coarse ones. They overlap: no seam is seen.
  const [steps, step] = [50, SCALE.width / 50];
  const colours = Array.from({ length: steps }, (_, i) =>
    tag("rect", { x: i * step, width: Math.min(step + 1, SCALE.width - i * step), height: SCALE.height, fill: rgb(viridis((i + 0.5) / steps)) }));
  const y = SCALE.height - 1;
  return (
    colours.join("") +
    [0, 0.5, 1].map((value) => text(String(value), value * SCALE.width, y + 15, { "text-anchor": "middle", "font-size": 11, ...SOFT })).join("") +
    text("attention weight", SCALE.width + 10, y, SOFT)
  );
}

/** A box that is not allowed. @param {{x: number, y: number, width: number, height: number}} box */
const forbidden = (box) =>
  hatching(box.x, box.y, box.width, box.height) + tag("rect", { ...box, fill: "none", stroke: PALETTE["--hatch"] });

const FORBIDDEN =
  forbidden({ x: SCALE.width + 118, y: 0, width: 12, height: 12 }) + text("not allowed", SCALE.width + 136, SCALE.height - 1, SOFT);

/** With commas, which older programs need. @param {number[]} colour */
const rgb = (colour) => css(colour).replace(/ /g, ",");
