// The package's default run, trained for figures that ask about a run on a page without a trainer.
import { LiveRun } from "./live.js";
import { onScreen } from "./on_screen.js";

/** Of which start of the engine it is the run. @type {{start: number, training: Promise<void>} | undefined} */
let latest;

/** Train it, once for all figures, and put it on screen at its end. A start that fails may be tried again.
 * @param {import("../engine/client.js").Engine} engine   live @param {string} probe */
export function trainDefaultRun(engine, probe) {
  if (latest?.start !== engine.starts) {
    latest = { start: engine.starts, training: train(engine, probe) };
    latest.training.catch(() => (latest = undefined));
  }
  return latest.training;
}

/** @param {import("../engine/client.js").Engine} engine @param {string} probe */
async function train(engine, probe) {
  const id = engine.newRun();
  const run = new LiveRun(engine, id, await engine.api.start(id, {}));
  const { epochs } = run.facts.train;
  const trained = new Promise((resolve, reject) => {
    engine.listen((event) => {
      if (event.run !== id) return;
      if (event.type === "epoch") run.records.push(event.record);
      if (event.type === "error") reject(new Error(event.message));
      if (run.records.length > epochs) resolve(undefined);
    });
  });
  await run.train(epochs);
  await trained;
  onScreen.show({ run, epoch: epochs, probe });
}
