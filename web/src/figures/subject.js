// What an answer about a run is about: which run, which epoch of it, which probe.
import { PROPERTIES } from "../state.js";
import { differingWords } from "../trainer/differences.js";

/** @typedef {import("../state.js").Configs} Configs */
/** @typedef {{settings: Configs, epoch: number, probe: string}} Subject */

/** Answered for the recorded run; every figure that asks about a run records it.
 * @type {import("./questions.js").Question} */
export const SETTINGS = { name: "settings_of_run", args: {} };

/** The probe of recorded answers. */
export const PROBE = PROPERTIES.probe.default;

/** The subject of recorded answers. @param {Configs} settings   the answer to SETTINGS @returns {Subject} */
export const recorded = (settings) => ({ settings, epoch: settings.train.epochs, probe: PROBE });

/** @param {Subject} subject */
export const runInWords = ({ settings, epoch }) => `${differingWords(settings)}; epoch ${epoch}`;

/** @param {Subject} subject */
export const nameOf = (subject) => `${runInWords(subject)}; probe ${subject.probe}`;
