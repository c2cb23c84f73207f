// The embed page: one figure of the article and nothing else, `embed.html?figure=trainer#task=sort`. Its options are in
// options.js, what it tells the page around it in protocol.js.
import { sharedEngine, siteConfig } from "../engine/shared.js";
import { ELEMENTS } from "../figures/elements.js";
import { loadRecording } from "../figures/recording.js";
import { writeAddress } from "../share/address_bar.js";
import { followFigureLinks } from "../share/figure_links.js";
import { asFragment, inFragment } from "../share/link.js";
import { MicroTrainer } from "../trainer/element.js";
import { savesData, seen } from "../trainer/interest.js";
import { readOptions } from "./options.js";
import { disableFixed, hideParts, Settings } from "./settings.js";
import { watchSight } from "./sight.js";
import { Talk } from "./talk.js";
import { useTheme } from "./theme.js";

/** @typedef {import("../share/shareable.js").Texts} Texts */
/** All but the block diagram, which is a picture, are shareable.
 * @typedef {HTMLElement & Partial<import("../share/shareable.js").Shareable>} FigureElement */

const TRAINER = "micro-trainer";
const ACTIONLESS = "This figure has no such button: only the trainer trains.";
const RECORDED_ONLY = "The page that embeds this figure shows recorded runs only: nothing is trained here.";

const talk = new Talk();
const card = /** @type {HTMLElement} */ (document.querySelector("main"));
const notice = /** @type {HTMLElement} */ (card.querySelector(".notice"));
const origin = /** @type {HTMLAnchorElement} */ (card.querySelector(".origin a"));
const { options, notices } = readOptions(location.search);
const name = new URLSearchParams(location.search).get("figure") ?? "";

if (options.theme !== "auto") useTheme(options.theme);
begin().catch((error) => refuse(error instanceof Error ? error.message : String(error)));

async function begin() {
  const tag = name === "trainer" ? TRAINER : name;
  const known = ["trainer", ...Object.keys(siteConfig().figures)];
  if (!known.includes(name)) return refuse(`There is no figure “${name}”. The figures are ${known.join(", ")}.`);
  document.documentElement.dataset.only = tag;
  const engine = sharedEngine();
  engine.barred = options.engine === "recorded";
  engine.rest(true);
  const settings = new Settings(options);
  follow(settings);

  /** @type {FigureElement} */
  const figure = document.createElement(tag);
  if (tag !== TRAINER) figure.innerHTML = (await loadRecording(tag)).html;
  const element = tag === TRAINER ? MicroTrainer : ELEMENTS[/** @type {keyof typeof ELEMENTS} */ (tag)];
  if (element) customElements.define(tag, element);
  (tag === TRAINER ? card : /** @type {HTMLElement} */ (card.querySelector(".figure"))).prepend(figure);
  const read = () => figure.read?.() ?? {};
  followFigureLinks();
  settings.hold(read());
  notices.push(...hideParts(card, options, read()), ...disableFixed(card, options, read()));
  say(notices);

  watchSight(card, (inSight) => engine.rest(!inSight));
  if (options.start === "view" && !engine.barred && !savesData() && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    seen(card).then(() => figure.act?.("train"));
  }
  const settled = () => {
    link(tag, figure.changed?.() ?? {});
    const before = settings.restored(read());
    if (Object.keys(before).length) figure.open?.(before);
  };
  settled();
  figure.addEventListener("figure-state", settled);
  talk.begin(name, figure, {
    read,
    set(given) {
      const now = read();
      const { state, notices } = settings.allowed(spelled(given, now), now);
      return [...notices, ...(figure.open?.(state) ?? [])];
    },
    theme(theme) {
      useTheme(theme);
      if (figure instanceof MicroTrainer) figure.redraw();
    },
    act(action) {
      if (engine.barred && (action === "train" || action === "step")) return [RECORDED_ONLY];
      return figure.act?.(action) ? [] : [ACTIONLESS];
    },
  });
  if (tag === TRAINER) await drawn(figure);
  card.getBoundingClientRect(); // laid out, it asks for the font of its formulas
  await document.fonts.ready; // without which they have other heights
  talk.followHeight();
}

/** The fragment may not say what the options forbid, at first and later. Comes before the figure's own listener.
 * @param {Settings} settings */
function follow(settings) {
  const correct = () => {
    const { state, notices } = settings.allowedInLink(inFragment(location.hash));
    say(notices);
    const link = asFragment(state);
    if (link !== location.hash && notices.length) writeAddress(link);
    return notices;
  };
  notices.push(...correct());
  window.addEventListener("hashchange", () => talk.complain(correct()));
}

/** Attributes of HTML know no capitals; names of settings do. @param {Texts} given @param {Texts} state */
function spelled(given, state) {
  const names = new Map(Object.keys(state).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]));
}

/** The article's figure, in the state that is on screen. @param {string} tag @param {Texts} state   where it is not the default */
function link(tag, state) {
  origin.href = `./${asFragment(tag === TRAINER ? state : { figure: tag, ...state }) || "#train"}`;
}

/** Resolves when the trainer has drawn a run: before, it is not as high. @param {HTMLElement} trainer @returns {Promise<void>} */
function drawn(trainer) {
  return new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (!trainer.dataset.observed) return;
      observer.disconnect();
      resolve();
    }).observe(trainer, { attributeFilter: ["data-observed"] });
  });
}

/** @param {string[]} sentences */
function say(sentences) {
  notice.textContent = sentences.join(" ");
}

/** @param {string} message */
function refuse(message) {
  say([message]);
  talk.followHeight();
  talk.complain([message]);
}
