// Where the slider of the scale can stand: 2^(stop/4).

export const STOPS = { first: -8, last: 20 };
/** Scale 1. */
export const FIRST = 0;

/** The scale of a stop, in three significant digits: what is shown is what is computed, in every browser.
 * @param {number} stop */
export const atStop = (stop) => Number((2 ** (stop / 4)).toPrecision(3));
