// The frame's side of the protocol: says what happens in the figure, and does what the page around it asks.
import { hasMark, marked, toFrame } from "./protocol.js";

/** @typedef {import("../share/shareable.js").Texts} Texts */
/** @typedef {import("./protocol.js").ToPage} ToPage */

/**
 * What the page may have the figure do; sentences tell what was not done.
 * @typedef {object} Steered
 * @property {() => Texts} read
 * @property {(given: Texts) => string[]} set
 * @property {(action: string) => string[]} act
 * @property {(theme: string) => void} theme
 */

/** Events of a figure (share/shareable.js), and the messages that tell them. */
const EVENTS = ["state", "epoch", "done", "error"];

/** In CSS pixels. */
const SLACK = 50;

export class Talk {
  /** The size told last. */
  told = { width: 0, height: 0 };

  /** @param {ToPage} message */
  tell(message) {
    if (window.parent !== window) window.parent.postMessage(marked(message), "*");
  }

  /** Tell the height of the content, from now on: at once, since browsers do not observe what is out of sight. */
  followHeight() {
    new ResizeObserver(() => this.#tellHeight()).observe(document.body);
    this.#tellHeight();
  }

  /** A sentence that becomes a line shorter and longer again does not move the page around. */
  #tellHeight() {
    const { width, height } = document.body.getBoundingClientRect();
    const { told } = this;
    if (!height || (width === told.width && height <= told.height && told.height - height < SLACK)) return;
    this.told = { width, height };
    this.tell({ type: "height", height: Math.ceil(height) });
  }

  /** @param {string} name   of the figure @param {HTMLElement} figure @param {Steered} steered */
  begin(name, figure, steered) {
    const first = steered.read();
    let state = JSON.stringify(first);
    for (const type of EVENTS) {
      figure.addEventListener(`figure-${type}`, (event) => {
        const { detail } = /** @type {CustomEvent} */ (event);
        if (type === "state") {
          const before = state;
          state = JSON.stringify(detail.state);
          if (state === before) return; // when it is drawn first, a figure says what `ready` has said
        }
        this.tell(type === "epoch" ? { type, record: detail } : { type, ...detail });
      });
    }
    window.addEventListener("message", ({ source, data }) => {
      if (source !== window.parent || source === window || !hasMark(data)) return;
      const message = toFrame(data);
      if (typeof message === "string") this.complain([message]);
      else if (message.type === "read") this.tell({ type: "state", state: steered.read(), id: message.id });
      else if (message.type === "theme") steered.theme(message.theme);
      else if (message.type === "set") this.complain(steered.set(message.state));
      else this.complain(steered.act(message.type));
    });
    this.tell({ type: "ready", figure: name, state: first });
  }

  /** @param {string[]} sentences */
  complain(sentences) {
    for (const message of sentences) this.tell({ type: "error", message });
  }
}
