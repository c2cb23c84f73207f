// What the figure asks, and which of it is recorded.

/** Components of a query reach from -LARGEST to LARGEST, and go in steps of STEP. */
export const LARGEST = 3;
export const STEP = 0.5;
const TOKENS = 4;

/** @param {number} token @param {number[]} [query]   in place of its own @returns {import("../questions.js").Question} */
export const asks = (token, query) => ({ name: "lookup", args: query ? { token, query } : { token } });

const each = Array.from({ length: 2 * LARGEST + 1 }, (_, i) => i - LARGEST);

/** Every token with its own query, and with every query of whole numbers. */
export const RECORDED = Array.from({ length: TOKENS }, (_, token) => [
  asks(token),
  ...each.flatMap((x) => each.map((y) => asks(token, [x, y]))),
]).flat();

/** The recorded one that is nearest. @param {import("../questions.js").Question} question */
export function nearestRecorded({ args }) {
  const query = /** @type {number[] | undefined} */ (args.query);
  return asks(Number(args.token), query?.map((value) => Math.round(value) || 0)); // || 0: no -0
}
