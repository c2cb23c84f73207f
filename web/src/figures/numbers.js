// Numbers as the figures write them.

/** @param {number | null} value @param {number} digits   after the point */
export const fixed = (value, digits) => (value == null ? "−∞" : minus(value.toFixed(digits)));

/** No more digits than it takes, two after the point at most. @param {number} value */
export const short = (value) => minus(String(Number(value.toFixed(2))));

/** A real minus sign, which is as wide as a digit; and never "−0.00". @param {string} text */
export const minus = (text) => (Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−"));
