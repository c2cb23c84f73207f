// A scenario for tests/browsers/drive.mjs: reads a JSON list [name, script, method, args] per line from standard input,
// calls `ask` of page.js with it, and answers with a line {"value": …} or {"error": sentence}. Ends when the input does.
import { createInterface } from "node:readline";

/** @param {any} page */
export default async function answerCalls(page) {
  for await (const line of createInterface({ input: process.stdin })) {
    let answer;
    try {
      const value = await page.evaluate((/** @type {any[]} */ call) => /** @type {any} */ (window).ask(...call), JSON.parse(line));
      answer = { value: value ?? null };
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error) };
    }
    console.log(JSON.stringify(answer));
  }
}
