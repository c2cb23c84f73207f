// The messages between a page and a figure that it embeds. <micro-transformer> (element.js) speaks for the page; a page
// that has nothing but the frame may speak itself.
//
// Every message is an object with `microTransformer`, the version of this protocol, and `type`. Whoever receives one
// that has another shape drops it; the frame answers one from its parent that has the mark and is wrong with an `error`.
//
// Page to frame:
//   set {state}    take over these settings, by the names of links; the others stay as they are
//   train, pause, step, reset    what the buttons do. Out of the reader's sight, training waits, and no download begins;
//                  one that has begun is finished
//   theme {theme}  "auto", "light" or "dark"
//   read {id}      answered by `state` with the same id. Before `ready` nobody listens: a page that may have missed it asks
//                  until it is answered
// Frame to page:
//   ready {figure, state}   once, when the figure takes messages; `state` has all settings
//   height {height}         of the content, in CSS pixels: at first, and whenever it changes
//   state {state, id?}      the settings have changed and come to rest; or the answer to `read`
//   epoch {record}          an epoch has been trained (EpochRecord in engine/protocol.js)
//   done {epoch}            training has reached what it was asked for, or was paused
//   error {message}         a sentence for the reader
//
// Both sides look at where a message comes from: the page takes those of its frame's window, and of the site's origin
// (a frame with `sandbox` and without allow-same-origin has the origin "null"); the frame takes those of its parent,
// whatever its origin: any page may embed it. For the same reason the frame answers to any origin ("*"); what it says is
// no secret: settings that stand in an address, and numbers that anyone can compute.

import { OPTIONS } from "./options.js";

/** @typedef {import("../share/shareable.js").Texts} Texts */
/** @typedef {import("../engine/protocol.js").EpochRecord} EpochRecord */

/**
 * @typedef {{type: "set", state: Texts} | {type: "train" | "pause" | "step" | "reset"} | {type: "read", id: number}
 *   | {type: "theme", theme: string}} ToFrame
 * @typedef {{type: "ready", figure: string, state: Texts} | {type: "height", height: number}
 *   | {type: "state", state: Texts, id?: number} | {type: "epoch", record: EpochRecord}
 *   | {type: "done", epoch: number} | {type: "error", message: string}} ToPage
 */

/** Of the protocol. */
export const VERSION = 1;

/** What a button does. */
export const ACTIONS = ["train", "pause", "step", "reset"];

/** @param {ToFrame | ToPage} message */
export const marked = (message) => ({ microTransformer: VERSION, ...message });

/** Whether something that was received is one of our messages, of whatever version and type.
 * @param {unknown} data @returns {data is {microTransformer: unknown, type: unknown}} */
export const hasMark = (data) => typeof data === "object" && data !== null && "microTransformer" in data;

/** @param {unknown} value @returns {value is Texts} */
export const areTexts = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) &&
  Object.values(value).every((text) => typeof text === "string");

/**
 * A message to the frame, or the sentence that says what is wrong with it.
 * @param {{microTransformer: unknown, type: unknown}} data @returns {ToFrame | string}
 */
export function toFrame(data) {
  const { microTransformer: version, type } = data;
  if (version !== VERSION) return `This figure speaks version ${VERSION} of its protocol; the message has version ${text(version)}.`;
  if (ACTIONS.includes(/** @type {string} */ (type))) return /** @type {ToFrame} */ ({ type });
  if (type === "set") {
    const state = Reflect.get(data, "state");
    return areTexts(state) ? { type, state } : "The message “set” needs a state: an object whose values are strings.";
  }
  if (type === "read") {
    const id = Reflect.get(data, "id");
    return Number.isSafeInteger(id) ? { type, id } : "The message “read” needs an id: a whole number.";
  }
  if (type === "theme") {
    const theme = Reflect.get(data, "theme");
    const { words } = OPTIONS.theme;
    return words.includes(theme) ? { type, theme } : `The message “theme” needs a theme: ${words.join(", ")}.`;
  }
  return `There is no message “${text(type)}”; a figure takes set, read, theme, ${ACTIONS.join(", ")}.`;
}

/**
 * A message to the page; null where its shape is wrong.
 * @param {unknown} data @returns {ToPage | null}
 */
export function toPage(data) {
  if (!hasMark(data) || data.microTransformer !== VERSION) return null;
  const { type, state, figure, height, id, record, epoch, message } = /** @type {Record<string, unknown>} */ (data);
  const isRight =
    (type === "ready" && typeof figure === "string" && areTexts(state)) ||
    (type === "height" && typeof height === "number" && height > 0 && height < 1e5) ||
    (type === "state" && areTexts(state) && (id === undefined || Number.isSafeInteger(id))) ||
    (type === "epoch" && typeof record === "object" && record !== null) ||
    (type === "done" && Number.isSafeInteger(epoch)) ||
    (type === "error" && typeof message === "string");
  return isRight ? /** @type {ToPage} */ (/** @type {unknown} */ (data)) : null;
}

/** @param {unknown} value */
const text = (value) => String(typeof value === "string" || typeof value === "number" ? value : typeof value).slice(0, 40);
