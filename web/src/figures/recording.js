// What the build recorded for the figures, each fetched once however many ask for it.
import { siteConfig } from "../engine/shared.js";

/** Of a figure: its static form, and answers by `keyOf` their questions.
 * @typedef {{html: string, answers: Record<string, any>}} FigureRecording */

/** @type {Map<string, Promise<FigureRecording>>} */
const recordings = new Map();

/** @param {string} tag */
export function loadRecording(tag) {
  let recording = recordings.get(tag);
  if (!recording) {
    recording = fetchRecording(tag);
    recording.catch(() => recordings.delete(tag)); // a failure is not kept: the next time may work
    recordings.set(tag, recording);
  }
  return recording;
}

/** @param {string} tag @returns {Promise<FigureRecording>} */
async function fetchRecording(tag) {
  const response = await fetch(new URL(siteConfig().figures[tag], document.baseURI));
  if (!response.ok) throw new Error(`The figure's recorded numbers did not load: the server answered ${response.status}.`);
  return response.json();
}
