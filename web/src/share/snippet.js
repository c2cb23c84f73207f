// The run as a few lines of Python, for whoever wants it outside the page.
import { unusual } from "../runs/package.js";
import { differingWords } from "../trainer/differences.js";

/** @typedef {import("../engine/protocol.js").Settings} Settings */

/** @param {Settings[string]} value */
const literal = (value) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));

/** @param {"model" | "train"} kind @param {Settings} given */
const settings = (kind, given) => unusual(kind, given).map(([name, value]) => `${name}=${literal(value)}`).join(", ");

/**
 * A script that trains the run and prints its history.
 * @param {import("../engine/protocol.js").RunFacts} facts @param {number} epochs @param {string} wheel   its address
 */
export const snippet = (facts, epochs, wheel) => `# ${differingWords(facts)}
# pip install ${wheel}
from microtransformer import ModelConfig, TrainConfig, Trainer

trainer = Trainer(ModelConfig(${settings("model", facts.model)}), TrainConfig(${settings("train", facts.train)}))
print(trainer.history[0])
for _ in range(${epochs}):
    print(trainer.run_epoch())
`;
