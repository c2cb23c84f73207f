// A trainer in a tab of Firefox that is put behind another, told to train there, and brought to the front again.
import { appears } from "../browsers/appears.mjs";

/** @param {import("puppeteer-core").Page} page */
export default async function (page) {
  await appears(page, 'micro-trainer[data-observed="FACE@40"]');
  const other = await page.browser().newPage();
  await other.bringToFront();
  const behind = await page.evaluate(async () => {
    while (document.visibilityState === "visible") await new Promise((resolve) => setTimeout(resolve, 20));
    const trainer = document.querySelector("micro-trainer");
    trainer.act("train");
    return trainer.dataset.engine;
  });
  await page.bringToFront();
  await appears(page, "micro-trainer[data-engine=loading], micro-trainer[data-engine=live]");
  return behind;
}
