// Six experiments, one per section of the article: what is set is in experiments.json, from which the build measures
// them too; what is asked before, and how to read the outcome from the runs on screen, is here.
import list from "./experiments.json";
import { nats, percent, shareOn } from "./sentences.js";

/** @typedef {import("../engine/protocol.js").RunFacts} RunFacts */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */
/** @typedef {import("../engine/protocol.js").Observation} Observation */
/** @typedef {{facts: RunFacts, records: EpochRecord[]}} Trained */

/**
 * What has happened: the experiment's run, the one it is compared with, and what the epoch on screen makes of the probe.
 * @typedef {object} Outcome
 * @property {Trained} run
 * @property {Trained | null} against
 * @property {{probe: string, epoch: number, observation: Observation}} shown
 */

/** @typedef {Partial<import("../state.js").RunSettings>} Settings   what differs from the defaults */
/** @typedef {{settings: Settings, compare: Settings | null}} Setup   compare: null where no other run is needed */

/**
 * @typedef {object} Words
 * @property {string} title
 * @property {string} question
 * @property {string[]} answers
 * @property {(outcome: Outcome) => number} answer   which answer came true, or -1 for none of them
 * @property {(outcome: Outcome) => string} see      what to look for, in numbers of the runs on screen
 * @property {string} why
 */
/** @typedef {Setup & Words & {id: string}} Experiment   id: of the section, too */

/** @param {Trained} run */
const last = ({ records }) => records[records.length - 1];
/** @param {Trained} run */
const accuracy = (run) => percent(last(run).accuracy, 1);
/** Points of accuracy below which two runs count as equal: about what two seeds differ by. */
const EQUAL = 0.02;

/** How much worse than the other run: 0 as good, 1 worse, 2 hardly better than guessing. @param {Outcome} outcome */
function worse({ run, against }) {
  if (last(run).accuracy < 2 / run.facts.model.vocab_size) return 2;
  return against && last(against).accuracy - last(run).accuracy > EQUAL ? 1 : 0;
}

/** @param {Outcome} outcome @param {string} what   the other run is called */
const scores = ({ run, against }, what) =>
  `At epoch ${last(run).epoch} the accuracy is ${accuracy(run)}, the loss ${nats(last(run).ce)} nats` +
  (against ? `; ${what}, ${accuracy(against)} and ${nats(last(against).ce)} at epoch ${last(against).epoch}.` : ".");

/** The head that has most of its weight on the anti-diagonal, and its first row. @param {Outcome} outcome */
function lookup({ run, shown }) {
  const { n_layers: L, n_heads: H, seq_len: T } = run.facts.model;
  const { attention } = shown.observation;
  const shares = Array.from({ length: L * H }, (_, head) => shareOn(attention, head, T, (query) => T - 1 - query));
  const head = shares.indexOf(Math.max(...shares));
  const row = Array.from({ length: T }, (_, key) => attention[head * T * T + key]);
  return { row, name: `layer ${Math.floor(head / H) + 1}, head ${(head % H) + 1}` };
}

/** Largest weight of a row of layer 1, averaged over its rows. @param {Outcome} outcome */
function decided({ run, shown }) {
  const { n_heads: H, seq_len: T } = run.facts.model;
  const rows = Array.from({ length: H * T }, (_, row) => row * T);
  const weights = (/** @type {number} */ at) => Array.from({ length: T }, (_, key) => shown.observation.attention[at + key]);
  const largest = rows.map((at) => Math.max(...weights(at)));
  return largest.reduce((sum, weight) => sum + weight, 0) / rows.length;
}

/** @type {Record<keyof typeof list, Words>} */
const WORDS = {
  lookup: {
    title: "Look up a letter",
    question:
      "To reverse four letters, position 0 must output the letter at position 3. Where will its row look, in " +
      "the head that learns to reverse?",
    answers: ["At its own position", "At position 3", "At all four alike"],
    answer: (outcome) => {
      const { row } = lookup(outcome);
      const key = row.indexOf(Math.max(...row));
      return row[key] < 0.5 ? 2 : { 0: 0, 3: 1 }[key] ?? -1;
    },
    see: (outcome) => {
      const { row, name } = lookup(outcome);
      const { probe, epoch } = outcome.shown;
      return (
        `For ${probe} at epoch ${epoch}, the first row of ${name} puts ${percent(row[3])} of its weight on position 3. ` +
        "The other rows follow the same rule: together they are the anti-diagonal."
      );
    },
    why: "The output of such a row is almost the value vector of one position: a weighted mean has become a lookup.",
  },
  shapes: {
    title: "Make every matrix narrow",
    question:
      "With d = 8 instead of 32, each head is 4 numbers wide and W_Q is 8 × 8 instead of 32 × 32. How well does " +
      "the model sort after as many epochs?",
    answers: ["As well as with d = 32", "Less well", "Hardly better than guessing"],
    answer: worse,
    see: (outcome) => {
      const parameters = (/** @type {Trained} */ { facts }) => facts.parameters.toLocaleString("en");
      const { run, against } = outcome;
      const sizes = against ? ` It has ${parameters(run)} parameters instead of ${parameters(against)}.` : "";
      return scores(outcome, "with d = 32") + sizes;
    },
    why:
      "The number of heads and the shape of the maps are the same: d decides how much a position can carry, not " +
      "who may look at whom. Training and held-out loss stay together: the narrow model does not memorise, it " +
      "learns more slowly.",
  },
  scaling: {
    title: "Leave the scores unscaled",
    question:
      "Without the division by √d_k = 4, every score starts out four times as large. How well does the model " +
      "sort after as many epochs?",
    answers: ["As well: it learns smaller scores", "Less well", "Hardly better than guessing"],
    answer: worse,
    see: (outcome) =>
      `${scores(outcome, "with scaling")} Move the slider to epoch 0: even untrained, the unscaled rows are more ` +
      "decided.",
    why:
      "Its training loss comes down all the same: what it has learned holds for the sequences it was trained " +
      "on, and less for others.",
  },
  saturation: {
    title: "Saturate the softmax",
    question:
      "One head with d_k = 64, no scaling, and a learning rate thirty times as large. What becomes of the rows " +
      "of layer 1 when reversing?",
    answers: ["They find the anti-diagonal sooner", "All weight on one key, often a wrong one", "About even weights"],
    answer: (outcome) => {
      if (decided(outcome) < 0.5) return 2;
      return last(outcome.run).accuracy > 0.9 ? 0 : decided(outcome) > 0.9 ? 1 : -1;
    },
    see: (outcome) => {
      const { probe, epoch } = outcome.shown;
      const largest = decided(outcome).toFixed(3);
      return (
        `For ${probe} at epoch ${epoch}, the largest weight of a row of layer 1 is ${largest} on average. ` +
        scores(outcome, "with scaling at the same learning rate")
      );
    },
    why:
      "As a row p approaches one-hot, the Jacobian diag(p) − ppᵀ approaches zero: whatever the gradient at p, hardly " +
      "any of it reaches the scores of that row, right or wrong.",
  },
  causal: {
    title: "Hide what lies ahead",
    question:
      "Under a causal mask, position i sees positions 0 to i. How many of the four letters can the model " +
      "reverse?",
    answers: ["All four, given enough epochs", "The last two; it must guess the first two", "None"],
    answer: ({ run }) => {
      const right = last(run).accuracy_per_position.map((share) => share > 0.9);
      const count = right.filter(Boolean).length;
      return count === 4 ? 0 : count === 0 ? 2 : count === 2 && right[2] && right[3] ? 1 : -1;
    },
    see: ({ run }) => {
      const { accuracy_per_position: each, ce } = last(run);
      return (
        `Accuracy by position: ${each.map((share) => percent(share)).join(", ")}. The loss is ${nats(ce)} nats; ` +
        `no model under this mask can go below ${nats(run.facts.limit.ce)}.`
      );
    },
    why:
      "Positions 0 and 1 must output letters that stand ahead of them. The hatched cells are not zero weights " +
      "that training could raise: they are not allowed.",
  },
  norm: {
    title: "Move the norm",
    question:
      "Four layers with RMSNorm after each addition instead of before each sublayer, and a learning rate thirty " +
      "times the default. How well does the model reverse after as many epochs?",
    answers: ["As well: the place of the norm is a detail", "Less well", "Hardly better than guessing"],
    answer: worse,
    see: (outcome) => scores(outcome, "with the norm before each sublayer"),
    why:
      "With pre-norm, the stream from the embedding to the last layer bypasses every norm in the blocks; with " +
      "post-norm, it and its gradient pass through all of them. Try post-norm at a learning rate of 0.003: then it " +
      "learns.",
  },
};

export const EXPERIMENTS = /** @type {Experiment[]} */ (
  Object.entries(list).map(([id, setup]) => ({ id, ...setup, ...WORDS[/** @type {keyof typeof list} */ (id)] }))
);
