// Starts the worker with what settings.json says, and shows what it reports.
import { simdSupport } from "./support.js";

const settings = await (await fetch("settings.json")).json();
const absolute = (url) => new URL(url, document.baseURI).href;
const worker = new Worker("worker.js");
worker.onmessage = ({ data }) => {
  document.querySelector("pre").textContent = data.report;
  document.body.dataset.code = data.code;
};
worker.onerror = (event) => {
  document.querySelector("pre").textContent = event.message;
  document.body.dataset.code = "70";
};
worker.postMessage({
  base: absolute(settings.base),
  loops: absolute(`loops-${simdSupport()}.wasm`),
  tests: absolute(settings.tests),
  wheels: settings.wheels.map(absolute),
  pytestArguments: settings.pytestArguments,
});
