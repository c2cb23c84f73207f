// Numbers over many orders of magnitude, and axes for them.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** 10⁻³ @param {number} exponent */
export const power = (exponent) =>
  `10${exponent < 0 ? "⁻" : ""}${[...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("")}`;

/** Three digits and a power of ten: 4.12×10¹¹. @param {number} value   above 0 */
export function scientific(value) {
  const [digits, exponent] = value.toExponential(2).split("e");
  return `${digits}×${power(Number(exponent))}`;
}

/** Three digits, and a power of ten only where they are not enough: 1.13, 37.8, 2,780, 1.20×10⁶¹.
 * @param {number} value   above 0 */
export function threeDigits(value) {
  if (value < 1e-3 || value >= 999_500) return scientific(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Number(value.toPrecision(3)))));
  return digits ? value.toFixed(digits) : whole(Number(value.toPrecision(3)));
}

/** 24,576 @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString("en-US");

/** Where a value stands on a logarithmic axis: 0 at `from`, 1 at `to`.
 * @param {number} from @param {number} to @returns {(value: number) => number} */
export const logAxis = (from, to) => (value) => Math.log(value / from) / Math.log(to / from);

/** The nearest of some, by their distance. @template T @param {T[]} candidates @param {(candidate: T) => number} distance */
export const nearestBy = (candidates, distance) =>
  candidates.reduce((best, one) => (distance(one) < distance(best) ? one : best));
