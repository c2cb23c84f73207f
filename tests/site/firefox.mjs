// A reader of the trainer in another browser: looks at the recorded run, presses Train, waits for a few epochs, pauses.
import { appears } from "../browsers/appears.mjs";

/** @param {import("puppeteer-core").Page} page */
export default async function (page) {
  await appears(page, 'micro-trainer[data-observed="FACE@40"]');
  const recorded = await seen(page);
  await press(page, "train");
  await appears(page, "micro-trainer[data-engine=live], micro-trainer[data-engine=failed]");
  await appears(page, `micro-trainer[data-engine=failed], ${EPOCHS.map((n) => `micro-trainer[data-trained="${n}"]`)}`);
  await press(page, "train");
  await appears(page, "micro-trainer[data-training=false]");
  await appears(page, 'micro-trainer[data-source=live]:not([data-observed=""])');
  const live = await seen(page);
  return { recorded, live, losses: await losses(page) };
}

/** Any of these is far enough; while the page is busy, one of them may pass unseen. */
const EPOCHS = [3, 4, 5, 6, 7, 8];

/** What the figure shows. @param {import("puppeteer-core").Page} page */
const seen = (page) =>
  page.evaluate(() => {
    const figure = document.querySelector("micro-trainer");
    const canvases = [...figure.querySelectorAll(".heatmap canvas, .uplot canvas")];
    const drawn = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean);
    return {
      ...figure.dataset,
      loops: figure.querySelector("[data-action=loops]").checked,
      status: figure.querySelector(".status").textContent,
      drawn: canvases.map(drawn),
      width: document.documentElement.scrollWidth,
    };
  });

/** With the pointer, where the button is. @param {import("puppeteer-core").Page} page @param {string} action */
async function press(page, action) {
  const { x, y } = await page.evaluate((name) => {
    const button = document.querySelector(`micro-trainer [data-action=${name}]`);
    button.scrollIntoView({ block: "center" });
    const box = button.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }, action);
  await page.mouse.click(x, y);
}

/** The loss of every epoch so far, by moving the slider along. @param {import("puppeteer-core").Page} page */
const losses = (page) =>
  page.evaluate(async () => {
    const figure = document.querySelector("micro-trainer");
    const slider = figure.querySelector("input[type=range]");
    const texts = [];
    for (let epoch = 0; epoch <= Number(figure.dataset.trained); epoch++) {
      slider.value = String(epoch);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      texts.push(Number(figure.querySelector("output[id$=-ce]").textContent));
    }
    return texts;
  });
