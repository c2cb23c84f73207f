// A curve over epochs as SVG: axes with ticks, levels, the marker at the epoch on screen, labels in a margin of their
// own. Pure.
import { placed } from "../widgets/labels.js";
import { PALETTE } from "./palette.js";
import { framed, n, tag, text } from "./svg.js";

/** @typedef {import("../widgets/curve.js").CurveData} CurveData */
/** @typedef {import("./palette.js").Colour} Colour */

const PLOT = { left: 58, top: 10, width: 520, height: 280 };
const RIGHT = PLOT.left + PLOT.width;
const FOOT = PLOT.top + PLOT.height;
/** Of the labels beside the curves. */
const LABELS = { width: 150, line: 15 };
const SOFT = { fill: PALETTE["--ink-soft"] };

/** @param {string} property */
const colourOf = (property) => PALETTE[/** @type {Colour} */ (property)];

/** @param {import("./svg.js").Sheet} sheet @param {CurveData} data
 * @param {{name: string, format: (value: number) => string}} axis   of the values */
export function curvePicture(sheet, data, axis) {
  const { range: [low, high], log, epochs, epoch, series, levels } = data;
  const within = (/** @type {number} */ value) => Math.min(high, Math.max(low, value));
  const share = (/** @type {number} */ value) =>
    log ? Math.log(within(value) / low) / Math.log(high / low) : (within(value) - low) / (high - low);
  const x = (/** @type {number} */ at) => PLOT.left + (PLOT.width * at) / Math.max(1, epochs);
  const y = (/** @type {number} */ value) => FOOT - PLOT.height * share(value);

  const rows = ticks(low, high, log).map((tick) =>
    line(PLOT.left, y(tick), RIGHT, y(tick), "--rule") +
    text(String(Number(tick.toPrecision(3))), PLOT.left - 8, y(tick) + 4, { "text-anchor": "end", ...SOFT }));
  const columns = ticks(0, Math.max(1, epochs), false).filter(Number.isInteger).map((tick) =>
    line(x(tick), FOOT, x(tick), FOOT + 5, "--ink-soft") + text(String(tick), x(tick), FOOT + 19, { "text-anchor": "middle", ...SOFT }));
  const axes = [
    line(PLOT.left, FOOT, RIGHT, FOOT, "--ink-soft"),
    text("epoch", PLOT.left + PLOT.width / 2, FOOT + 38, { "text-anchor": "middle", ...SOFT }),
    text(`${axis.name}${log ? ", log scale" : ""}`, 0, 0, { "text-anchor": "middle", transform: `translate(14 ${n(PLOT.top + PLOT.height / 2)}) rotate(-90)`, ...SOFT }),
  ];
  const lines = levels.filter(({ value }) => value >= low).map(({ colour, value }) =>
    line(PLOT.left, y(value), RIGHT, y(value), colour, { "stroke-dasharray": "5 4" }));
  const curves = [...series].reverse().map(({ colour, dash, thin, values }) =>
    tag("polyline", {
      points: values.map((value, i) => `${n(x(i))},${n(y(value))}`).join(" "), fill: "none", stroke: colourOf(colour),
      "stroke-width": dash || thin ? 1.25 : 2, "stroke-dasharray": dash?.join(" "), "stroke-linejoin": "round",
    }));
  const [main] = series;
  const marker = epoch < main.values.length
    ? line(x(epoch), PLOT.top, x(epoch), FOOT, "--ink-soft") +
      tag("circle", { cx: x(epoch), cy: y(main.values[epoch]), r: 4.5, fill: colourOf(main.colour) })
    : "";
  const ends = series.filter(({ values }) => values.length).map(({ label, colour, values }) => ({ label, colour, value: values[values.length - 1] }));
  const labels = [...levels, ...ends].map(({ label, colour, value }) => ({
    text: value < low ? `${label} ↓` : label, colour: colourOf(colour), at: y(value),
  }));
  const named = placed(labels, LABELS.line, FOOT).map(({ text: words, colour, at }) => text(words, RIGHT + 8, at + 4, { fill: colour }));
  const now = series.filter(({ values }) => epoch < values.length).map(({ label, colour, values }) => ({ words: `${label} ${axis.format(values[epoch])}`, colour }));
  const readout = text(`At epoch ${epoch}:`, PLOT.left, FOOT + 62, SOFT) +
    now.map(({ words, colour }, i) => text(words, PLOT.left + 100 + 130 * i, FOOT + 62, { fill: colourOf(colour) })).join("");
  return framed(sheet, {
    width: RIGHT + LABELS.width,
    height: FOOT + 66,
    shapes: [...rows, ...columns, ...axes, ...lines, marker, ...curves, ...named, readout].join("\n"),
  });
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} colour
 * @param {Record<string, string>} [more] */
const line = (x1, y1, x2, y2, colour, more = {}) => tag("line", { x1, y1, x2, y2, stroke: colourOf(colour), ...more });

/** Round numbers on an axis: powers of ten, or steps of 1, 2 or 5. @param {number} low @param {number} high
 * @param {boolean} log */
export function ticks(low, high, log) {
  if (log) {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  }
  const rough = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor((high - low) / step + 1e-9) + 1 }, (_, i) => Number((low + i * step).toPrecision(12)));
}
