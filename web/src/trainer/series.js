// The two curves of a run, with the levels that they are read against.
import { percent } from "./sentences.js";

/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */
/** @typedef {import("../widgets/curve.js").CurveData} CurveData */

/** Lower edge of the logarithmic axis, in nats; the default runs end a little above 0.01. */
const LOG_FLOOR = 0.003;

/** @param {RunFacts} facts @param {EpochRecord[]} records @param {number} epoch @returns {CurveData} */
export function lossCurve(facts, records, epoch) {
  // A loss that can go to 0 is read on a logarithmic axis; one that ends at a limit above 0, on a linear one.
  const log = facts.limit.ce === 0;
  const lowest = Math.min(...records.map((r) => Math.min(r.ce, r.train_ce)));
  return {
    epochs: facts.train.epochs,
    epoch,
    log,
    range: log ? [lowest < LOG_FLOOR ? LOG_FLOOR / 10 : LOG_FLOOR, 4] : [0, facts.guess_ce * 1.15],
    series: [
      { label: "held out", colour: "--run", values: records.map((r) => r.ce) },
      { label: "training", colour: "--run-soft", dash: [3, 3], values: records.map((r) => r.train_ce) },
    ],
    levels: [
      { label: `guessing: ln ${facts.model.vocab_size}`, colour: "--ink-soft", value: facts.guess_ce },
      { label: `exact limit ${facts.limit.ce ? facts.limit.ce.toFixed(3) : "0"}`, colour: "--limit", value: facts.limit.ce },
    ],
  };
}

/** @param {RunFacts} facts @param {EpochRecord[]} records @param {number} epoch @returns {CurveData} */
export function accuracyCurve(facts, records, epoch) {
  return {
    epochs: facts.train.epochs,
    epoch,
    log: false,
    range: [0, 1.05],
    series: [{ label: "held out", colour: "--run", values: records.map((r) => r.accuracy) }],
    levels: [
      { label: `limit ${percent(facts.limit.accuracy, 2)}`, colour: "--limit", value: facts.limit.accuracy },
      { label: `guessing 1/${facts.model.vocab_size}`, colour: "--ink-soft", value: 1 / facts.model.vocab_size },
    ],
  };
}
