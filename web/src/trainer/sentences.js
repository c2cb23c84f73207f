// The text under the figure: true of the run, the epoch and the probe on screen, whatever they are.

/** @typedef {import("./controller.js").TrainerController} TrainerController */
/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */

/** @param {number} share */
export const percent = (share, digits = 0) => `${(share * 100).toFixed(digits)}%`;

/** Cross-entropy in nats; that of a run which diverges has too many digits to write out. @param {number} ce */
export const nats = (ce) => (ce < 1e4 ? ce.toFixed(3) : ce.toExponential(1));

/**
 * Share of one head's attention on the cells where `key === wanted(query)`, averaged over the queries.
 * @param {ArrayLike<number>} attention   (L*H*T*T) @param {number} head   counted over layers
 * @param {number} T @param {(query: number) => number} wanted
 */
export function shareOn(attention, head, T, wanted) {
  let sum = 0;
  for (let query = 0; query < T; query++) sum += attention[(head * T + query) * T + wanted(query)];
  return sum / T;
}

/**
 * The cells that a task singles out, if there are such: name and key for each query.
 * @param {string} task @param {number} T
 * @returns {{name: string, sign: string, key: (query: number) => number} | null}
 */
export function pattern(task, T) {
  if (task === "reverse") return { name: "anti-diagonal", sign: "╱", key: (query) => T - 1 - query };
  if (task === "copy") return { name: "diagonal", sign: "╲", key: (query) => query };
  return null;
}

/** What the numbers beside the maps' names are. @param {RunFacts} facts */
export function singledOut({ model, train }) {
  const singled = pattern(train.task, model.seq_len);
  return singled ? `${singled.sign} share of the attention on the ${singled.name}` : "";
}

/** @param {RunFacts} facts */
export const modelSize = ({ model, parameters, steps_per_epoch }) =>
  `The model on screen has ${parameters.toLocaleString("en")} parameters; each head is ` +
  `${model.d_model / model.n_heads} numbers wide, each feedforward ${model.d_ff}. ` +
  `An epoch takes ${steps_per_epoch} ${steps_per_epoch === 1 ? "step" : "steps"}.`;

/** One paragraph about what is on screen. @param {TrainerController} view */
export function describeView({ run, record, shown, epoch }) {
  if (!run || !record || !shown) return "";
  const { facts } = run;
  const sentences =
    epoch === 0
      ? [untrained(facts, record)]
      : [
          facts.train.task === "sort" ? "" : heads(facts, shown),
          withoutPositions(facts),
          ...lesson(facts, record, run.records),
        ];
  return sentences.filter(Boolean).join(" ");
}

/** @param {RunFacts} facts @param {EpochRecord} record */
function untrained(facts, record) {
  const V = facts.model.vocab_size;
  return (
    `Untrained: the model knows nothing, so it spends about ln ${V} = ${nats(facts.guess_ce)} nats on each token ` +
    `(${nats(record.ce)} here), the price of guessing among ${V} letters.`
  );
}

/** @param {RunFacts} facts @param {NonNullable<TrainerController["shown"]>} shown */
function heads(facts, { probe, observation, epoch }) {
  const { seq_len: T, n_heads: H, n_layers: L } = facts.model;
  const { name, key } = /** @type {NonNullable<ReturnType<typeof pattern>>} */ (pattern(facts.train.task, T));
  const shares = Array.from({ length: L * H }, (_, head) => shareOn(observation.attention, head, T, key));
  const best = shares.indexOf(Math.max(...shares));
  const where = `layer ${Math.floor(best / H) + 1}, head ${(best % H) + 1}`;
  const most = `For ${probe} at epoch ${epoch}, ${where} puts ${percent(shares[best])} of its attention on the ${name}`;
  if (facts.train.task === "copy") {
    return (
      `${most}, the most of any head. None is needed there: the residual stream already carries each token to its ` +
      `own output, so there is nothing to look up.`
    );
  }
  if (facts.train.mask === "causal") {
    const blind = Math.floor(T / 2);
    return `${most}. ${percent(1 - blind / T)} is the most it could: the first ${blind} positions may not look there.`;
  }
  return `${most}, where position i finds the letter that it must output: the one at position ${T - 1} − i.`;
}

/** What a model that adds no positions cannot know. @param {RunFacts} facts */
function withoutPositions({ model, train }) {
  if (model.positions) return "";
  if (train.mask === "causal") {
    return "Without positions, only the mask tells places apart: each sees a prefix of another length.";
  }
  const blind =
    "Without positions, no part of the model can tell places apart: if the letters change places, its outputs only " +
    "change places with them.";
  return train.task === "copy" ? blind : `${blind} It can use which letters there are, not where they stand.`;
}

/** @param {RunFacts} facts @param {EpochRecord} record @param {EpochRecord[]} records */
function lesson(facts, record, records) {
  const { task, mask } = facts.train;
  const { limit } = facts;
  const held = `${facts.held_out_sequences.toLocaleString("en")} held-out sequences`;
  if (limit.ce === 0) {
    const solved = record.accuracy === 1 ? "All tokens" : `${percent(record.accuracy, 1)} of the tokens`;
    const why =
      task === "sort" ? " Every output depends on all four letters: there is no single place to look." : "";
    return [`${solved} of the ${held} are right, at ${nats(record.ce)} nats per token.${why}`];
  }
  const gap = `No model under a causal mask can go below ${nats(limit.ce)} nats: `;
  const blind =
    task === "reverse"
      ? "positions 0 and 1 must output letters that they may not see, and can only guess."
      : "only the last position sees the whole sequence; every other must guess from its prefix.";
  return [`${gap}${blind}`, overfitting(facts, record, records, mask)];
}

/** A run that has passed its best epoch memorises its training sequences. @param {RunFacts} facts
 * @param {EpochRecord} record @param {EpochRecord[]} records @param {string} mask */
function overfitting(facts, record, records, mask) {
  const best = records.reduce((low, candidate) => (candidate.ce < low.ce ? candidate : low));
  if (mask !== "causal" || record.epoch <= best.epoch || record.train_ce >= facts.limit.ce) return "";
  return (
    `On its ${facts.train_sequences} training sequences it reaches ${nats(record.train_ce)}, below that limit: it has ` +
    `begun to memorise them, and its held-out loss has risen from ${nats(best.ce)} at epoch ${best.epoch}.`
  );
}
