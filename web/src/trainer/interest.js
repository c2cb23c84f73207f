// When the reader comes to a figure.

/** What a reader does on arriving at a figure. */
const SIGNS = ["wheel", "pointerdown", "touchstart", "keydown"];

/** Whether the reader's browser asks to save data. */
export function savesData() {
  const connection = /** @type {{saveData?: boolean} | undefined} */ (Reflect.get(navigator, "connection"));
  return connection?.saveData === true;
}

/** Resolves when a good part of the figure is on the reader's screen. @param {Element} figure @returns {Promise<void>} */
export function seen(figure) {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: "0px 0px -20% 0px" },
    );
    observer.observe(figure);
  });
}

/**
 * Tell when the reader has come to the figure and does something; a page merely opened downloads nothing.
 * @param {Element} figure @param {() => void} tell
 */
export function watchInterest(figure, tell) {
  if (savesData()) return; // only Train and its like start the engine then
  let visible = false;
  let active = false;
  const check = () => {
    if (!visible || !active) return;
    observer.disconnect();
    for (const type of SIGNS) removeEventListener(type, sign);
    tell();
  };
  const sign = () => {
    active = true;
    check();
  };
  const observer = new IntersectionObserver(([entry]) => {
    visible = entry.isIntersecting;
    check();
  });
  observer.observe(figure);
  for (const type of SIGNS) addEventListener(type, sign, { passive: true });
}
