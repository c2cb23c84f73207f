// The state of a figure as links write it: said, taken over, and told when it has changed.

/** @typedef {import("./shareable.js").Texts} Texts */
/** @typedef {import("./fields.js").Field} Field */
/** What is shared: its parts, and those that are set along with another, by name; a link that writes that one writes
 * them too. @typedef {HTMLElement & {fields: () => Field[], follows: Texts}} Shared */

export class FigureState {
  /** Whether a state is being opened; otherwise it is the reader who changes controls. */
  opening = false;
  /** The state when nothing has been changed; null before the figure is there. @type {Texts | null} */
  #defaults = null;
  /** What was to be opened before. @type {Texts} */
  #waiting = {};
  /** The state that was told last. */
  #told = "";
  /** @type {HTMLElement | null} */
  #notice = null;

  /** @param {Shared} figure */
  constructor(figure) {
    this.figure = figure;
  }

  /** The figure is there, and has its first state. */
  begin() {
    this.#defaults = this.read();
    this.#told = JSON.stringify(this.#defaults);
    for (const type of ["input", "change"]) {
      this.figure.addEventListener(type, () => {
        if (!this.opening) this.#tellReader("");
      });
    }
    this.open(this.#waiting);
    this.#writeSettings();
  }

  /** All of it. @returns {Texts} */
  read() {
    return Object.fromEntries(this.figure.fields().map((field) => [field.name, field.read()]));
  }

  /** What differs from the default. @returns {Texts} */
  changed() {
    const [state, { follows }] = [this.read(), this.figure];
    const differs = (/** @type {string} */ name) => name in state && state[name] !== this.#defaults?.[name];
    return Object.fromEntries(Object.entries(state).filter(([name]) => differs(name) || differs(follows[name])));
  }

  /** Take over what is given; what had to be changed is told under the figure, too. @param {Texts} given */
  open(given) {
    const defaults = this.#defaults;
    if (!defaults) {
      this.#waiting = { ...this.#waiting, ...given };
      return [];
    }
    this.opening = true;
    const taken = this.figure.fields().filter(({ name }) => name in given);
    const notices = taken.map((field) => take(field, given[field.name], defaults[field.name])).filter(Boolean);
    this.opening = false;
    this.#tellReader(notices.join(" "));
    return notices;
  }

  /** Show what a link carries, and the default in all else. @param {Texts} given */
  openLink(given) {
    if (this.#defaults) this.open(this.#defaults);
    return this.open(given);
  }

  /** Tell the page if the state has changed; to be called when it has come to rest. */
  settle() {
    if (!this.#defaults) return;
    const state = this.read();
    const text = JSON.stringify(state);
    if (text === this.#told) return;
    this.#told = text;
    this.#writeSettings();
    this.figure.dispatchEvent(new CustomEvent("figure-state", { detail: { state }, bubbles: true }));
  }

  /** What the controls are set to, for paper and pictures, which have no controls. */
  inWords() {
    const settings = this.figure.fields().flatMap(({ inWords }) => (inWords ? [inWords()] : []));
    return settings.join("; ");
  }

  #writeSettings() {
    const line = this.figure.querySelector(".settings");
    if (line) line.textContent = this.inWords();
  }

  /** @param {string} text */
  #tellReader(text) {
    if (!text && !this.#notice) return;
    if (!this.#notice) {
      this.#notice = Object.assign(document.createElement("p"), { className: "notice" });
      this.#notice.setAttribute("role", "status");
      this.figure.append(this.#notice);
    }
    this.#notice.textContent = text;
  }
}

/** Set a field; the sentence about what had to be changed, or "".
 * @param {Field} field @param {string} asked @param {string} otherwise   where nothing can be made of it */
function take({ name, read, parse, set }, asked, otherwise) {
  const { text = otherwise, why } = parse(asked);
  if (text !== read()) set(text);
  return why ? `${name} was given as “${asked.slice(0, 20)}”; ${why}, and ${text} is shown.` : "";
}
