// The line under a figure that says where its numbers come from.
import { downloaded } from "../trainer/status.js";

export const BUILT = "Computed when this page was built.";
const NEAREST = "The nearest numbers from when this page was built.";

/**
 * @param {import("../engine/client.js").Engine} engine
 * @param {"live" | "recorded"} source   of the answer on screen
 * @param {boolean} exact   whether it answers what the controls pose
 * @param {string} name   of the question
 */
export function sourceLine(engine, source, exact, name) {
  if (source === "live") return `Computed in this browser by the package: ${name}.`;
  const recorded = exact ? BUILT : NEAREST;
  if (engine.state === "loading") return `${recorded} Loading the engine: ${downloaded(engine)}.`;
  if (engine.state === "failed") return `${recorded} ${engine.failure}`;
  if (engine.barred && !exact) return `${recorded} The page that embeds this figure wants recorded numbers only.`;
  return recorded;
}
