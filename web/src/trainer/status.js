// Which engine the reader is looking at, in words.

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** How far the download is; apart from the status, so that a screen reader does not read out every step.
 * @param {import("../engine/client.js").Engine} engine */
export const downloaded = ({ progress }) => `${megabytes(progress.loaded)} of ${megabytes(progress.total)} MB`;

/** @param {import("./controller.js").TrainerController} view */
export function engineStatus({ engine, isLive, live, training, stepsPerSecond, reproduced, trained, epochs }) {
  const { state, progress } = engine;
  if (state === "loading") {
    const now = progress.phase === "download" ? "Loading" : "Starting"; // from a network, a cache or the offline copy
    return `${now} Python and NumPy. Until they run, this is the recorded run.`;
  }
  if (state === "failed") return `${engine.failure} The recorded runs go on working.`;
  if (state === "recorded" && engine.barred) {
    return "Recorded: this run was trained when the site was built. The page that embeds it shows recorded runs only.";
  }
  if (state === "recorded") {
    const size = engine.gzippedBytes ? ` (${megabytes(engine.gzippedBytes)} MB gzipped)` : ""; // none in the offline copy
    return (
      "Recorded: this run was trained when the page was built, and replays without Python. " +
      `Train starts the live engine${size}.`
    );
  }
  if (!isLive && reproduced === null) return "Live engine ready. Starting a run.";
  if (!isLive) return `Live engine ready. It is reproducing this recorded run: epoch ${reproduced} of ${trained}.`;
  const speed = stepsPerSecond ? `, ${Math.round(stepsPerSecond)} steps per second` : "";
  const slow = engine.loops?.on ? "" : " without SIMD loops";
  if (training && engine.resting) return "Live: training rests while this is out of sight, and goes on when it is back.";
  if (training) return `Live: training in this browser${slow}${speed}.`;
  const then = trained >= epochs ? "Train runs it again." : trained ? "Train goes on." : "Train starts it.";
  const origin = live?.origin ? `comes from the file ${live.origin}` : "was computed in this browser";
  return `Live: this run ${origin}. ${then}`;
}
