// Firefox with one page open: node firefox.mjs PROGRAM URL
// Reads a JSON list [name, script, method, args] per line from standard input, calls `ask` of page.js with it, and
// answers with a line {"value": …} or {"error": sentence}. Ends when the input does.
import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";

const [executablePath, url] = process.argv.slice(2);
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath,
  headless: true,
  // Firefox rounds its clock to milliseconds; the steps are no faster without.
  extraPrefsFirefox: { "privacy.reduceTimerPrecision": false },
  protocolTimeout: 600_000,
});
try {
  const page = await browser.newPage();
  await page.goto(url);
  for await (const line of createInterface({ input: process.stdin })) {
    /** @type {[string, string, string, unknown[]]} */
    const call = JSON.parse(line);
    let answer;
    try {
      const value = await page.evaluate((...args) => /** @type {any} */ (window).ask(...args), ...call);
      answer = { value: value ?? null };
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error) };
    }
    console.log(JSON.stringify(answer));
  }
} finally {
  await browser.close();
}
