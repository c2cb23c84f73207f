// A curve over epochs with labelled levels and a marker at the epoch on screen. Labels stand in a margin of their
// own at the right, never on a line.
import uPlot from "uplot";
import { drawLabels } from "./labels.js";

/** @typedef {{label: string, colour: string, dash?: number[], thin?: boolean, values: number[]}} Series   colour: a CSS property */
/** @typedef {{label: string, colour: string, value: number}} Level */
/**
 * @typedef {object} CurveData
 * @property {number} epochs         length of the horizontal axis
 * @property {Series[]} series       values[e] belongs to epoch e; the first one carries the marker and lies on top
 * @property {Level[]} levels        horizontal lines
 * @property {[number, number]} range
 * @property {boolean} log           logarithmic vertical axis
 * @property {number} epoch          where the marker stands
 */

const MARGIN = 104;

export class Curve {
  /** @type {uPlot | null} */
  #plot = null;
  /** @type {CurveData | null} */
  #data = null;
  #shape = "";
  /** Values of CSS properties, as long as the theme stays. @type {Map<string, string>} */
  #styles = new Map();

  /**
   * @param {HTMLElement} root
   * @param {string} name   accessible name
   * @param {(value: number) => string} format
   * @param {(epoch: number) => void} pick   the reader has chosen an epoch on the curve
   */
  constructor(root, name, format, pick) {
    this.root = root;
    this.format = format;
    this.pick = pick;
    root.setAttribute("role", "img");
    root.setAttribute("aria-label", name);
    new ResizeObserver(() => this.#plot?.setSize(this.#size())).observe(root);
  }

  /** @param {CurveData} data */
  update(data) {
    const shape = JSON.stringify([data.epochs, data.range, data.log, data.series.map((s) => s.label), data.levels]);
    const grown = !this.#data || !sameValues(this.#data.series, data.series);
    const moved = this.#data?.epoch !== data.epoch;
    this.#data = data;
    if (shape !== this.#shape || !this.#plot) {
      this.#shape = shape;
      this.#build(data);
    } else if (grown) {
      this.#plot.setData(this.#columns(data), false);
      this.#plot.redraw();
    } else if (moved) {
      this.#plot.redraw(false);
    } else {
      return;
    }
    this.root.setAttribute("aria-description", this.#summary(data));
  }

  /** Draw again in the colours of another theme. */
  draw() {
    this.#styles.clear();
    if (this.#data) this.#build(this.#data);
  }

  #size() {
    return { width: Math.max(200, this.root.clientWidth), height: Math.max(80, this.root.clientHeight) };
  }

  /** @param {string} property */
  #css(property) {
    let value = this.#styles.get(property);
    if (value === undefined) {
      value = getComputedStyle(this.root).getPropertyValue(property).trim();
      this.#styles.set(property, value);
    }
    return value;
  }

  /** @param {CurveData} data @returns {uPlot.AlignedData} */
  #columns({ epochs, series, range, log }) {
    const xs = Array.from({ length: epochs + 1 }, (_, epoch) => epoch);
    // Below the axis a logarithm would leave the picture: such values lie on its edge.
    const fit = (/** @type {number} */ y) => (log ? Math.max(range[0], y) : y);
    return [xs, ...bottomUp(series).map(({ values }) => xs.map((e) => (e < values.length ? fit(values[e]) : null)))];
  }

  /** @param {CurveData} data */
  #build(data) {
    this.#plot?.destroy();
    const axis = {
      stroke: () => this.#css("--ink-soft"),
      font: `11px ${this.#css("font-family") || "sans-serif"}`,
      ticks: { show: false },
    };
    const grid = {
      stroke: () => this.#css("--rule"),
      width: 1,
      filter: (/** @type {uPlot} */ _, /** @type {number[]} */ ticks) => ticks.map((t) => (this.#isMajor(t) ? t : null)),
    };
    this.#plot = new uPlot(
      {
        ...this.#size(),
        padding: [6, MARGIN, 0, 0],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
        scales: {
          x: { time: false, range: [0, data.epochs] },
          y: { distr: data.log ? 3 : 1, range: data.range },
        },
        axes: [
          { ...axis, grid: { show: false }, size: 22, gap: 3 },
          { ...axis, grid, size: 44, gap: 4, space: 24, values: (_, ticks) => ticks.map((t) => this.#tick(t)) },
        ],
        series: [
          {},
          ...bottomUp(data.series).map(({ colour, dash, thin }) => ({
            stroke: () => this.#css(colour), dash, width: dash || thin ? 1.25 : 2, points: { show: false },
          })),
        ],
        hooks: { draw: [(plot) => this.#drawExtras(plot)] },
      },
      this.#columns(data),
      this.root,
    );
    this.#plot.over.addEventListener("click", (event) => {
      if (this.#plot) this.pick(Math.round(this.#plot.posToVal(event.offsetX, "x")));
    });
  }

  /** On a logarithmic axis only the powers of ten count. @param {number} tick */
  #isMajor(tick) {
    const power = Math.log10(tick);
    return !this.#data?.log || Math.abs(power - Math.round(power)) < 1e-6;
  }

  /** @param {number | null} tick */
  #tick(tick) {
    return tick !== null && this.#isMajor(tick) ? String(Number(tick.toPrecision(3))) : "";
  }

  /** Levels, their labels, the labels of the series, and the marker. @param {uPlot} plot */
  #drawExtras(plot) {
    const data = this.#data;
    if (!data) return;
    const { ctx, bbox } = plot;
    const ratio = window.devicePixelRatio || 1;
    const y = (/** @type {number} */ value) =>
      plot.valToPos(Math.min(data.range[1], Math.max(data.range[0], value)), "y", true);
    ctx.save();
    ctx.lineWidth = ratio;
    for (const { colour, value } of data.levels) {
      if (value < data.range[0]) continue; // its label says where it is
      ctx.strokeStyle = this.#css(colour);
      ctx.setLineDash([5 * ratio, 4 * ratio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y(value));
      ctx.lineTo(bbox.left + bbox.width, y(value));
      ctx.stroke();
    }
    ctx.setLineDash([]);
    const [main] = data.series;
    if (data.epoch < main.values.length) {
      const x = plot.valToPos(data.epoch, "x", true);
      ctx.strokeStyle = this.#css("--ink-soft");
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillStyle = this.#css(main.colour);
      ctx.beginPath();
      ctx.arc(x, y(main.values[data.epoch]), 4.5 * ratio, 0, 2 * Math.PI);
      ctx.fill();
    }
    const ends = data.series
      .filter(({ values }) => values.length)
      .map(({ label, colour, values }) => ({ label, colour, value: values[values.length - 1] }));
    const labels = [...data.levels, ...ends].map(({ label, colour, value }) => ({
      text: value < data.range[0] ? `${label} ↓` : label, colour: this.#css(colour), at: y(value),
    }));
    ctx.font = `${11 * ratio}px ${this.#css("font-family") || "sans-serif"}`;
    drawLabels(ctx, labels, bbox.left + bbox.width + 6 * ratio, bbox.top + bbox.height, ratio);
    ctx.restore();
  }

  /** @param {CurveData} data */
  #summary({ series, levels, epoch }) {
    const now = series
      .filter(({ values }) => epoch < values.length)
      .map(({ label, values }) => `${label} ${this.format(values[epoch])}`);
    const lines = levels.map(({ label, value }) => `${label} ${this.format(value)}`);
    return `Epoch ${epoch}: ${now.join(", ")}. Levels: ${lines.join(", ")}.`;
  }
}

/** In the order of drawing. @param {Series[]} series */
const bottomUp = (series) => [...series].reverse();

/** @param {Series[]} before @param {Series[]} now */
function sameValues(before, now) {
  return before.every(({ values }, i) => {
    const other = now[i]?.values;
    return values.length === other?.length && values.every((value, epoch) => value === other[epoch]);
  });
}
