// The two curves of a run, with the levels that they are read against.
import { percent } from "./sentences.js";

/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */
/** @typedef {{facts: RunFacts, records: EpochRecord[]}} Trained */
/** @typedef {import("../widgets/curve.js").CurveData} CurveData */
/** @typedef {import("../widgets/curve.js").Series} Series */

/** Lower edge of the logarithmic axis, in nats; the default runs end a little above 0.01. */
const LOG_FLOOR = 0.003;
/** Upper edge of the logarithmic axis, unless a loss is higher. */
const LOG_TOP = 4;

/** @param {Trained} run @param {number} epoch @param {Trained | null} kept @returns {CurveData} */
export function lossCurve({ facts, records }, epoch, kept) {
  // A loss that can go to 0 is read on a logarithmic axis; one that ends at a limit above 0, on a linear one.
  const log = facts.limit.ce === 0;
  const losses = [...records.flatMap((r) => [r.ce, r.train_ce]), ...(kept?.records ?? []).map((r) => r.ce)];
  const [lowest, highest] = [Math.min(...losses), Math.max(...losses)];
  const floor = log ? (lowest < LOG_FLOOR ? LOG_FLOOR / 10 : LOG_FLOOR) : 0;
  return {
    epochs: facts.train.epochs,
    epoch,
    log,
    range: [floor, roundedUp(Math.max(highest, log ? LOG_TOP : facts.guess_ce * 1.15))],
    series: [
      { label: "held out", colour: "--run", values: records.map((r) => r.ce) },
      { label: "training", colour: "--run-soft", dash: [3, 3], values: records.map((r) => r.train_ce) },
      ...keptSeries(kept, (r) => r.ce),
    ],
    levels: [
      { label: `guessing: ln ${facts.model.vocab_size}`, colour: "--ink-soft", value: facts.guess_ce },
      { label: `exact limit ${facts.limit.ce ? facts.limit.ce.toFixed(3) : "0"}`, colour: "--limit", value: facts.limit.ce },
    ],
  };
}

/** @param {Trained} run @param {number} epoch @param {Trained | null} kept @returns {CurveData} */
export function accuracyCurve({ facts, records }, epoch, kept) {
  return {
    epochs: facts.train.epochs,
    epoch,
    log: false,
    range: [0, 1.05],
    series: [
      { label: "held out", colour: "--run", values: records.map((r) => r.accuracy) },
      ...keptSeries(kept, (r) => r.accuracy),
    ],
    levels: [
      { label: `limit ${percent(facts.limit.accuracy, 2)}`, colour: "--limit", value: facts.limit.accuracy },
      { label: `guessing 1/${facts.model.vocab_size}`, colour: "--ink-soft", value: 1 / facts.model.vocab_size },
    ],
  };
}

/** @param {Trained | null} kept @param {(record: Trained["records"][0]) => number} value @returns {Series[]} */
const keptSeries = (kept, value) =>
  kept ? [{ label: "kept run", colour: "--kept", thin: true, values: kept.records.map(value) }] : [];

/** So that the axis does not grow with every epoch of a run whose loss rises. @param {number} highest */
const roundedUp = (highest) => (highest <= LOG_TOP ? highest : 10 ** Math.ceil(Math.log10(highest)));
