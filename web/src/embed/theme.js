// A theme that the embedding page has chosen, whatever the reader's system prefers.

const DARK = "(prefers-color-scheme: dark)";

/** The conditions of the style sheets that ask for the reader's preference, as they were written.
 * @type {{media: MediaList, written: string}[]} */
let conditions = [];

/** @param {string} theme   "light", "dark", or "auto": the reader's preference */
export function useTheme(theme) {
  if (!conditions.length) conditions = [...document.styleSheets].flatMap((sheet) => asking(sheet.cssRules));
  document.documentElement.dataset.theme = theme; // for the browser's own controls: see embed.css
  // The answer is written into every such condition; so no colour has to be written down twice.
  for (const { media, written } of conditions) {
    if (theme === "auto") media.mediaText = written;
    else media.mediaText = theme === "dark" ? written.replace(DARK, "(min-width: 0)") : "not all";
  }
}

/** @param {CSSRuleList} rules @returns {{media: MediaList, written: string}[]} */
function asking(rules) {
  return [...rules].flatMap((rule) => {
    if (rule instanceof CSSMediaRule && rule.media.mediaText.includes(DARK)) {
      return [{ media: rule.media, written: rule.media.mediaText }];
    }
    return "cssRules" in rule ? asking(/** @type {CSSGroupingRule} */ (rule).cssRules) : [];
  });
}
