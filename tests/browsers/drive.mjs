// Opens one page in a real browser, does what a scenario says, and prints what came of it as JSON.
//
//   node drive.mjs chrome|firefox PROGRAM URL SCENARIO
//
// PROGRAM   the browser's executable
// SCENARIO  a module whose default export takes the page, and returns the result
//
// Firefox is the system's own, driven over WebDriver BiDi; Chromium goes the same way, so that one script does for both.

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [browserName, executablePath, url, scenario] = process.argv.slice(2);
const puppeteer = createRequire(new URL("../../web/package.json", import.meta.url))("puppeteer-core");

const browser = await puppeteer.launch({
  browser: browserName,
  executablePath,
  args: browserName === "chrome" ? ["--no-sandbox", "--disable-background-networking"] : [],
  defaultViewport: { width: 1280, height: 800 },
  extraPrefsFirefox: { "privacy.reduceTimerPrecision": false }, // its clock steps by a millisecond otherwise
  protocolTimeout: 600_000, // a scenario may wait long for one answer; who started it gives up earlier
});
const problems = [];
const requests = [];
try {
  const page = await browser.newPage();
  page.on("console", (message) => {
    if (["error", "warn", "assert"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error}`));
  page.on("request", (request) => requests.push(request.url()));
  page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`status ${response.status()}: ${response.url()}`);
  });
  await page.goto(url);
  const { default: act } = await import(pathToFileURL(resolve(scenario)).href);
  console.log(JSON.stringify({ result: await act(page), problems, requests }));
} finally {
  await browser.close();
}
