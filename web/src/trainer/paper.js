// The trainer on paper: its maps and curves as drawings. A canvas that is printed clears what stands beside it, and is
// as coarse as the screen.
import { trainerPictures } from "./pictures.js";

/** Fill a place that only paper shows whenever the page is about to be printed.
 * @param {HTMLElement} root @param {import("./controller.js").TrainerController} view */
export function drawForPaper(root, view) {
  const draw = () => {
    const pictures = trainerPictures(view).filter(({ detail }) => !detail);
    const drawings = pictures.map((picture) => picture.draw().text);
    root.classList.toggle("pairs", drawings.length > 3); // a kept run's heads beside this one's
    root.innerHTML = drawings.map((text) => text.slice(text.indexOf("<svg"))).join("");
  };
  window.addEventListener("beforeprint", draw);
  matchMedia("print").addEventListener("change", ({ matches }) => matches && draw());
}
