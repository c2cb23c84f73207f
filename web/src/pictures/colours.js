// Colours as computed styles have them, in the form that every program reads: #rrggbb, and an opacity.

/** @type {Map<string, {colour: string, opacity: number}>} */
const known = new Map();
/** @type {CanvasRenderingContext2D | null} */
let context = null;

/** @param {string} value   such as "color(srgb 0.9 0.9 1)" */
export function plain(value) {
  const found = known.get(value);
  if (found) return found;
  context ??= /** @type {CanvasRenderingContext2D} */ (
    Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true })
  );
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = value;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  const colour = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  const made = { colour, opacity: alpha / 255 };
  known.set(value, made);
  return made;
}

/** A colour as presentation attributes; none for one that is not seen.
 * @param {"fill" | "stroke"} name @param {string} value @param {number} [opacity]   besides that of the colour
 * @returns {import("./svg.js").Attributes} */
export function paint(name, value, opacity = 1) {
  if (value === "none") return { [name]: "none" };
  const { colour, opacity: own } = plain(value);
  const all = own * opacity;
  if (all === 0) return { [name]: "none" };
  return { [name]: colour, [`${name}-opacity`]: all < 1 ? all : undefined };
}
