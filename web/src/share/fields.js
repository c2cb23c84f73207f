// The parts of a figure's state, as links write them. A control that carries `data-link="name"` is one; controls of the
// same name together are one: radio buttons a choice, boxes and sliders of numbers a list. The range of each is that of
// the control. A slider over uneven stops names them in `data-stops`; links write the stop, not its place. `data-words` is
// what the control is called where it is not shown, on paper and in pictures; without it, the figure shows the value.

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {() => string} read
 * @property {(text: string) => Parsed} parse   what can be made of a text
 * @property {(text: string) => void} set   as if the reader had done it
 * @property {() => string} [inWords]   name and value for a reader who does not see the control
 */

/** `text`: as `read` would write it, or undefined where nothing can be made of it. `why`: what the field takes, where
 * that is not what was given. @typedef {{text?: string, why?: string}} Parsed */

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

/** The fields of an element's controls, in their order. @param {Element} element @returns {Field[]} */
export function fieldsOf(element) {
  /** @type {Map<string, Control[]>} */
  const groups = new Map();
  for (const control of /** @type {NodeListOf<Control>} */ (element.querySelectorAll("[data-link]"))) {
    const name = /** @type {string} */ (control.dataset.link);
    groups.set(name, [...(groups.get(name) ?? []), control]);
  }
  return [...groups].map(([name, controls]) => {
    const field = ofControls(controls);
    const { words } = controls[0].dataset;
    return { name, ...field, ...(words ? { inWords: () => `${words}: ${valueInWords(controls, field.read())}` } : {}) };
  });
}

/** @param {Control[]} controls @param {string} value */
function valueInWords([first, ...others], value) {
  if (first instanceof HTMLSelectElement) return first.selectedOptions[0].text;
  if (first.type === "checkbox") return first.checked ? "yes" : "no";
  if (first.type !== "radio") return value.split(",").map((number) => Number(number).toLocaleString("en").replace("-", "−")).join(", ");
  const chosen = [first, ...others].find((radio) => radio instanceof HTMLInputElement && radio.checked);
  return chosen?.closest("label")?.textContent?.trim() ?? value;
}

/** @param {Control[]} controls */
function ofControls(controls) {
  const [first] = controls;
  if (first instanceof HTMLSelectElement) return ofSelect(first);
  if (first.type === "radio") return ofRadios(/** @type {HTMLInputElement[]} */ (controls));
  if (first.type === "checkbox") return ofCheckbox(first);
  return ofNumbers(/** @type {HTMLInputElement[]} */ (controls));
}

/** One of some words. @param {string[]} words @returns {(text: string) => Parsed} */
export const oneOf = (words) => (text) => (words.includes(text) ? { text } : { why: `it is one of ${words.filter(Boolean).join(", ")}` });

/** A whole number. @param {number} from @param {number} to @returns {(text: string) => Parsed} */
export const whole = (from, to) => (text) => {
  const number = numberIn(text);
  const why = `it is a whole number from ${from} to ${to}`;
  if (number === null) return { why };
  const nearest = Math.min(to, Math.max(from, Math.round(number)));
  return { text: String(nearest), ...(nearest === number ? {} : { why }) };
};

/** @param {HTMLSelectElement} select */
const ofSelect = (select) => ({
  read: () => select.value,
  parse: oneOf([...select.options].map(({ value }) => value)),
  set: (/** @type {string} */ text) => {
    select.value = text;
    tell(select);
  },
});

/** @param {HTMLInputElement[]} radios */
const ofRadios = (radios) => ({
  read: () => radios.find(({ checked }) => checked)?.value ?? "",
  parse: oneOf(radios.map(({ value }) => value)),
  set: (/** @type {string} */ text) => {
    const radio = /** @type {HTMLInputElement} */ (radios.find(({ value }) => value === text));
    radio.checked = true;
    tell(radio);
  },
});

/** @param {HTMLInputElement} box */
const ofCheckbox = (box) => ({
  read: () => (box.checked ? "on" : "off"),
  parse: oneOf(["on", "off"]),
  set: (/** @type {string} */ text) => {
    box.checked = text === "on";
    tell(box);
  },
});

/** @param {HTMLInputElement[]} inputs */
function ofNumbers(inputs) {
  const [first] = inputs;
  const stops = first.dataset.stops?.split(",").map(Number);
  const [least, most] = stops ? [stops[0], stops[stops.length - 1]] : [Number(first.min), Number(first.max)];
  const range = `${stops ? "goes by stops" : "goes"} from ${least} to ${most}`;
  const count = inputs.length;
  return {
    read: () => inputs.map(({ value, min }) => (stops ? stops[Number(value) - Number(min)] : Number(value))).join(),
    /** @param {string} text @returns {Parsed} */
    parse: (text) => {
      const given = text.split(",").map(numberIn);
      if (given.length !== count || given.includes(null)) {
        return { why: count > 1 ? `it is ${count} numbers with commas between them` : `it is a number that ${range}` };
      }
      const asked = /** @type {number[]} */ (given);
      const taken = asked.map((value) => (stops ? nearest(stops, value) : fit(first, value)));
      const same = taken.every((value, i) => value === asked[i]);
      return { text: taken.join(), ...(same ? {} : { why: `${count > 1 ? "each" : "it"} ${range}` }) };
    },
    set: (/** @type {string} */ text) => {
      text.split(",").forEach((value, i) => {
        inputs[i].value = stops ? String(stops.indexOf(Number(value)) + Number(first.min)) : value;
      });
      tell(first);
    },
  };
}

/** The number that an input would hold. @param {HTMLInputElement} input @param {number} value */
function fit(input, value) {
  if (input.type === "range") {
    const copy = /** @type {HTMLInputElement} */ (input.cloneNode());
    copy.value = String(value); // a slider keeps to its range and its steps by itself
    return copy.valueAsNumber;
  }
  const within = Math.min(Number(input.max), Math.max(Number(input.min), value));
  return input.step ? within : Math.round(within); // a box without steps is one for whole numbers
}

/** @param {number[]} stops @param {number} value */
const nearest = (stops, value) =>
  stops.reduce((best, stop) => (Math.abs(stop - value) < Math.abs(best - value) ? stop : best));

/** @param {string} text */
const numberIn = (text) => (/^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i.test(text.trim()) ? Number(text) || 0 : null); // || 0: no -0

/** The figure hears what it hears when the reader lets go of a control. @param {Control} control */
function tell(control) {
  for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
}
