// What every figure offers to whoever shares, embeds or steers it. Types only.

/**
 * A state as links write it, by the names that stand in links: `{task: "sort", epoch: "12"}`.
 * @typedef {Record<string, string>} Texts
 */

/**
 * @typedef {object} Shareable
 * @property {() => Texts} read   the whole state, defaults included; "" stands for "the latest" and the like
 * @property {() => Texts} changed   what differs from the default: what a link carries
 * @property {(given: Texts) => string[]} open   take over what is given, and leave the rest as it is; a sentence for
 *   the reader about each value that had to be changed. What is unknown is ignored
 * @property {(action: string) => boolean} act   do what a button of this name does; false: there is none
 */

/**
 * Events that a figure dispatches on itself; they bubble.
 * @typedef {object} FigureEvents
 * @property {CustomEvent<{state: Texts}>} figure-state   the state has changed and come to rest
 * @property {CustomEvent<import("../engine/protocol.js").EpochRecord>} figure-epoch   an epoch of the run in the engine
 *   has been trained, while training was asked for
 * @property {CustomEvent<{epoch: number}>} figure-done   training has reached what it was asked for, or was paused
 * @property {CustomEvent<{message: string}>} figure-error   a sentence for the reader
 */

export {};
