// Questions of the package's `questions` module, and the keys under which their answers are recorded.

/** @typedef {{name: string, args: import("../engine/protocol.js").Arguments}} Question */

/** @param {Question} question */
export const keyOf = ({ name, args }) => JSON.stringify([name, args]);
