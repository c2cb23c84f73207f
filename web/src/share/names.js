// Names of files, which say what is in them.
import { DEFAULTS, RUN_NAMES, linkName, settingsOf, write } from "../state.js";
import { beyondControls } from "../trainer/beyond.js";

/** "reverse-causal-seed0", and whatever else is not at its default. @param {import("../engine/protocol.js").RunFacts} facts */
export function runName(facts) {
  const settings = settingsOf(facts);
  const { task, mask, seed } = settings;
  const turned = RUN_NAMES.filter((name) => !["task", "mask", "seed"].includes(name) && settings[name] !== DEFAULTS[name]);
  const others = beyondControls(facts).map(([name, value]) => `${name}=${value}`);
  return [task, mask, `seed${seed}`, ...turned.map((name) => `${linkName(name)}${write(settings[name])}`), ...others].join("-");
}
