// Numbers as the figures write them.

/** @param {number | null} value @param {number} digits   after the point */
export const fixed = (value, digits) => (value == null ? "−∞" : minus(value.toFixed(digits)));

/** A real minus sign, which is as wide as a digit; and never "−0.00". @param {string} text */
export const minus = (text) => (Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−"));
