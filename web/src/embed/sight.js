// Whether the reader sees the figure: on the screen of the outermost page, in a tab that is in front.

/** Tell at first and whenever it changes. @param {Element} figure @param {(seen: boolean) => void} tell */
export function watchSight(figure, tell) {
  let onScreen = false;
  const check = () => tell(onScreen && document.visibilityState === "visible");
  // Without a root, the observer looks at the outermost page's screen, across frames and origins.
  new IntersectionObserver((entries) => {
    onScreen = entries[entries.length - 1].isIntersecting;
    check();
  }).observe(figure);
  document.addEventListener("visibilitychange", check);
}
