// Waiting for a state that the page shows. Puppeteer's own ways need eval, which the site's Content Security Policy
// does not allow.

/**
 * Resolves when an element matches the selector.
 * @param {import("puppeteer-core").Page} page @param {string} selector
 */
export function appears(page, selector) {
  return page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        if (document.querySelector(wanted)) return resolve(true);
        const observer = new MutationObserver(() => {
          if (!document.querySelector(wanted)) return;
          observer.disconnect();
          resolve(true);
        });
        observer.observe(document, { attributes: true, subtree: true, childList: true });
      }),
    selector,
  );
}
