// <micro-transformer figure="trainer" task="sort" mask="causal">: a figure of the site in a frame, on any page. This is
// the site's embed.js, the part that other pages load.
//
// Attributes: `figure`; `title`, for screen readers; `height`, "auto" (default) or a number of CSS pixels; `sandbox`,
// passed on to the frame; the options (options.js); every other is a setting of the figure, by its name in links.
// Methods: set({...}), train(), pause(), step(), reset(), read(). Events: ready, state, epoch, done, error; their `detail`
// is the message (protocol.js). What is asked for before the frame is ready, is done then; so whoever comes too late for
// `ready` awaits read().
// An element that moves in its page loads its frame anew, as every frame does, in the state that its attributes say;
// moveBefore() keeps the frame, and the run in it, in browsers that keep frames then.
import { embedAddress } from "./code.js";
import { expectedHeight } from "./heights.js";
import { OPTION_NAMES } from "./options.js";
import { marked, toPage } from "./protocol.js";

/** @typedef {import("../share/shareable.js").Texts} Texts */

const SITE = new URL(".", import.meta.url).href;
const ORIGIN = new URL(SITE).origin;
/** A change of one of these needs another frame. */
const OF_FRAME = ["figure", "sandbox", ...OPTION_NAMES.filter((name) => name !== "theme")];
/** Other attributes that are no settings of the figure: ours, those of every HTML element, and those of frameworks, such
 * as x-cloak and @click, for no setting has such a name. */
const OTHERS =
  /^(theme|height|title|accesskey|autofocus|class|contenteditable|dir|draggable|enterkeyhint|exportparts|hidden|id|inert|inputmode|is|item\w*|lang|nonce|part|popover|role|slot|spellcheck|style|tabindex|translate|on\w+|.*[^\w.].*)$/;

const style = new CSSStyleSheet();
style.replaceSync(":host{display:block}:host([hidden]){display:none}iframe{display:block;width:100%;border:0}");

class MicroTransformer extends HTMLElement {
  #frame = document.createElement("iframe");
  #ready = false;
  /** Messages for when it is ready. @type {import("./protocol.js").ToFrame[]} */
  #waiting = [];
  /** @type {Map<number, {resolve: (state: Texts) => void, reject: (error: Error) => void}>} */
  #asked = new Map();
  #lastId = 0;
  #attributes = new MutationObserver((records) => this.#changed(records));
  /** What a page switches its theme with: an attribute of its outermost elements. */
  #page = new MutationObserver(() => this.#followTheme());
  #theme = "auto";
  /** Height of what is in the frame, in CSS pixels, as far as it is known. */
  #content = 0;
  /** @param {MessageEvent} event */
  #heard = (event) => this.#receive(event);

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [style];
  }

  connectedCallback() {
    window.addEventListener("message", this.#heard);
    this.#attributes.observe(this, { attributeOldValue: true });
    for (const element of [document.documentElement, document.body]) this.#page.observe(element, { attributes: true });
    this.#open();
  }

  /** By moveBefore(): with this, it is not taken for removed and inserted. */
  connectedMoveCallback() {}

  disconnectedCallback() {
    window.removeEventListener("message", this.#heard);
    this.#attributes.disconnect();
    this.#page.disconnect();
    this.#frame.remove();
    this.#waiting = [];
    this.#giveUp("The figure has been removed from the page.");
  }

  /** Change settings, by their names in links. @param {Record<string, string | number | boolean>} settings */
  set(settings) {
    const write = (/** @type {unknown} */ value) => (typeof value === "boolean" ? (value ? "on" : "off") : String(value));
    this.#say({ type: "set", state: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, write(value)])) });
  }

  train() {
    this.#say({ type: "train" });
  }

  pause() {
    this.#say({ type: "pause" });
  }

  step() {
    this.#say({ type: "step" });
  }

  reset() {
    this.#say({ type: "reset" });
  }

  /** All settings. Rejects when the frame goes before it has answered. @returns {Promise<Texts>} */
  read() {
    const id = ++this.#lastId;
    this.#say({ type: "read", id });
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  /** In CSS pixels; in a panel that is closed, what it may come to be. */
  get #width() {
    /** @type {Element} */
    let shown = this;
    while (!shown.clientWidth && shown.parentElement) shown = shown.parentElement;
    return shown.clientWidth;
  }

  /** Whether the frame may be without an origin: in a sandbox of its own, or of the page, which it inherits. */
  get #mayBeOpaque() {
    const sandbox = this.getAttribute("sandbox");
    return self.origin === "null" || (sandbox !== null && !/\ballow-same-origin\b/.test(sandbox));
  }

  /** A new frame, in the state that the attributes say. */
  #open() {
    const figure = this.getAttribute("figure") ?? "trainer";
    const frame = document.createElement("iframe");
    this.#frame = frame;
    this.#ready = false;
    const sandbox = this.getAttribute("sandbox");
    if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
    frame.title = this.#title;
    frame.loading = "lazy";
    frame.allow = "clipboard-write";
    if (self.crossOriginIsolated) frame.setAttribute("credentialless", ""); // such a page has no other frames of other sites
    this.#size(expectedHeight(figure, this.#width));
    const given = OPTION_NAMES.filter((name) => name !== "theme" && this.hasAttribute(name));
    this.#useTheme(this.#wantedTheme);
    /** @type {Texts} */
    const options = Object.fromEntries(given.map((name) => [name, this.getAttribute(name) ?? ""]));
    if (this.#theme !== "auto") options.theme = this.#theme;
    frame.src = embedAddress({ figure, state: this.#state(this.getAttributeNames()), site: SITE }, options);
    this.shadowRoot?.replaceChildren(frame);
  }

  /** @param {string} reason   for whoever still waits for an answer */
  #giveUp(reason) {
    for (const { reject } of this.#asked.values()) reject(new Error(reason));
    this.#asked.clear();
  }

  get #title() {
    return this.getAttribute("title") ?? `Figure of the Transformer playground: ${this.getAttribute("figure") ?? "trainer"}`;
  }

  /** Where it is not said: that of the page, as the browser knows it; a page that says nothing is light. */
  get #wantedTheme() {
    const said = this.getAttribute("theme");
    if (said === "light" || said === "dark") return said;
    const { colorScheme } = getComputedStyle(this);
    const meta = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=color-scheme]"));
    const supported = colorScheme === "normal" ? (meta?.content ?? "") : colorScheme;
    const [isLight, isDark] = ["light", "dark"].map((name) => supported.includes(name));
    return isLight && isDark ? "auto" : isDark ? "dark" : "light";
  }

  #followTheme() {
    const theme = this.#wantedTheme;
    if (theme === this.#theme) return;
    this.#useTheme(theme);
    this.#say({ type: "theme", theme });
  }

  /** Where frame and content differ in their schemes, browsers paint the frame's ground white or black.
   * @param {string} theme */
  #useTheme(theme) {
    this.#theme = theme;
    this.#frame.style.colorScheme = theme === "auto" ? "light dark" : theme;
  }

  /** Settings among these attributes. @param {string[]} names @returns {Texts} */
  #state(names) {
    const settings = names.filter((name) => !OF_FRAME.includes(name) && !OTHERS.test(name));
    return Object.fromEntries(settings.map((name) => [name, this.getAttribute(name) ?? ""]));
  }

  /** Of the frame: as high as its content, unless the page has said how high. @param {number} content */
  #size(content) {
    this.#content = content;
    const [, fixed] = /^\s*0*([1-9]\d*)(?:px)?\s*$/.exec(this.getAttribute("height") ?? "") ?? [];
    this.#frame.style.height = `${fixed ?? content}px`;
    this.#frame.scrolling = fixed ? "auto" : "no"; // between a change of width and the new height, no bar flashes
  }

  /** @param {MutationRecord[]} records   of attributes */
  #changed(records) {
    const before = new Map(records.reverse().map(({ attributeName, oldValue }) => [attributeName ?? "", oldValue]));
    const names = [...before.keys()].filter((name) => this.getAttribute(name) !== before.get(name));
    if (!names.length) return;
    const removed = Object.keys(this.#state(names)).some((name) => !this.hasAttribute(name)); // back to its default
    if (removed || names.some((name) => OF_FRAME.includes(name))) {
      if (this.#ready) this.#giveUp("The figure has been replaced by another."); // else, the other will answer
      this.#open();
      return;
    }
    this.#followTheme();
    if (names.includes("title")) this.#frame.title = this.#title;
    if (names.includes("height")) this.#size(this.#content);
    this.#setAll(names);
  }

  /** The settings among these attributes. @param {string[]} names */
  #setAll(names) {
    const state = this.#state(names);
    if (Object.keys(state).length) this.set(state);
  }

  /** The browser has loaded the frame anew, from an address that may be of long ago. */
  #catchUp() {
    this.#giveUp("The figure has been loaded anew.");
    this.#say({ type: "theme", theme: this.#theme });
    this.#setAll(this.getAttributeNames());
  }

  /** @param {import("./protocol.js").ToFrame} message */
  #say(message) {
    this.#changed(this.#attributes.takeRecords()); // attributes set just before count first, and may need another frame
    if (!this.#ready) this.#waiting.push(message);
    else this.#frame.contentWindow?.postMessage(marked(message), this.#mayBeOpaque ? "*" : ORIGIN);
  }

  /** @param {MessageEvent} event */
  #receive({ source, origin, data }) {
    if (source === null || source !== this.#frame.contentWindow) return;
    if (origin !== ORIGIN && !(origin === "null" && this.#mayBeOpaque)) return;
    const message = toPage(data);
    if (!message) return;
    if (message.type === "height") return this.#size(message.height);
    if (message.type === "state" && message.id !== undefined) {
      this.#asked.get(message.id)?.resolve(message.state);
      this.#asked.delete(message.id);
      return;
    }
    if (message.type === "ready") {
      if (this.#ready) this.#catchUp();
      this.#ready = true;
      for (const waiting of this.#waiting.splice(0)) this.#say(waiting);
    }
    this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }
}

if (!customElements.get("micro-transformer")) customElements.define("micro-transformer", MicroTransformer);
