// Wait for the test page's pytest to end; its exit code and JUnit report.
import { appears } from "../browsers/appears.mjs";

/** @param {import("puppeteer-core").Page} page */
export default async function (page) {
  await appears(page, "body[data-code]");
  return page.evaluate(() => ({
    code: Number(document.body.dataset.code),
    report: document.querySelector("pre").textContent,
  }));
}
