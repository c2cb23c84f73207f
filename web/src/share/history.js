// A run's history as files: CSV for spreadsheets, and the run file, which `python -m microtransformer train --json`
// writes as well.

/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */
/** @typedef {{facts: RunFacts, records: EpochRecord[]}} Trained */
/** @typedef {{model: import("../engine/protocol.js").Settings, train: import("../engine/protocol.js").Settings,
 *   history: EpochRecord[]}} RunFile */

/** Raised when the meaning of a run file changes. */
const FORMAT = 1;

/** A row per epoch, with all digits; cross-entropies in nats per token, accuracies from 0 to 1. @param {Trained} run */
export function historyCsv({ facts: { limit }, records }) {
  const positions = records[0].ce_per_position.map((_, position) => position);
  const header = [
    "epoch", "train_ce_nats", "ce_nats", "limit_ce_nats", "accuracy", "limit_accuracy", "exact_match",
    ...positions.map((position) => `ce_nats_position_${position}`),
    ...positions.map((position) => `accuracy_position_${position}`),
  ];
  const rows = records.map((record) => [
    record.epoch, record.train_ce, record.ce, limit.ce, record.accuracy, limit.accuracy, record.exact_match,
    ...record.ce_per_position, ...record.accuracy_per_position,
  ]);
  return `${[header, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}

/** Settings, facts, limits and history as JSON. @param {Trained} run */
export function runFile({ facts, records }) {
  const { model, train, parameters, steps_per_epoch, train_sequences, held_out_sequences, guess_ce, limit } = facts;
  const fixed = { model, train, parameters, steps_per_epoch, train_sequences, held_out_sequences, guess_ce, limit };
  return `${JSON.stringify({ format: FORMAT, ...fixed, history: records }, null, 1)}\n`;
}

/** What a run file holds. Throws an Error whose message says what is wrong with it. @param {string} text @returns {RunFile} */
export function readRunFile(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error("it is neither an .npz archive nor JSON.");
  }
  const { format, model, train, history } = file ?? {};
  if (format !== undefined && format !== FORMAT) {
    throw new Error(`its format is ${JSON.stringify(format)}, and this page reads format ${FORMAT} only.`);
  }
  for (const [name, settings] of Object.entries({ model, train })) {
    if (!isMapping(settings)) throw new Error(`it lacks the settings “${name}”.`);
    const wrong = Object.keys(settings).find((key) => !["string", "number", "boolean"].includes(typeof settings[key]));
    if (wrong) throw new Error(`its setting ${wrong} is neither a text nor a number.`);
  }
  if (!Array.isArray(history) || !history.length) throw new Error("it lacks a history.");
  const wrong = history.findIndex((record, epoch) => record?.epoch !== epoch || !Number.isFinite(record.ce));
  if (wrong >= 0) throw new Error(`entry ${wrong} of its history is not the record of epoch ${wrong}.`);
  return { model, train, history };
}

/** @param {unknown} value */
const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** How far two curves of held-out loss are apart, in nats, and where. @param {EpochRecord[]} one @param {EpochRecord[]} other */
export function furthest(one, other) {
  const gaps = one.slice(0, other.length).map(({ ce }, epoch) => Math.abs(ce - other[epoch].ce));
  const gap = Math.max(...gaps);
  return { gap, epoch: gaps.indexOf(gap) };
}
