// The engine's worker: one Python, and a session for every page that is connected to it. Knows nothing of the pages.
import * as Comlink from "comlink";
import { Session } from "./worker/session.js";

if ("SharedWorkerGlobalScope" in self) {
  self.addEventListener("connect", (event) => {
    const [port] = /** @type {MessageEvent} */ (event).ports;
    const session = new Session();
    port.addEventListener("close", () => session.leave()); // a page that could not say goodbye; not in every browser
    port.postMessage("ready");
    Comlink.expose(session, port);
  });
} else {
  Comlink.expose(new Session());
}
