"""The page's worker, as the browser's debugging protocol sees it."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import CDPSession


class WorkerTarget:
    """The one worker of a page. Commands to it travel inside messages of the page's own session."""

    def __init__(self, page: CDPSession) -> None:
        self.page = page
        self.session = ""
        self.answers: dict[int, dict[str, Any]] = {}
        self.last = 0
        page.on("Target.attachedToTarget", self._attached)
        page.on("Target.receivedMessageFromTarget", self._received)
        # Not flattened: Playwright hands no session of a worker to us, so each command is wrapped.
        page.send("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False})
        while not self.session:
            page.send("Target.getTargetInfo")  # events are delivered while a command is under way

    def send(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result of a command in the worker."""
        self.last += 1
        message = json.dumps({"id": self.last, "method": method, "params": parameters or {}})
        self.page.send("Target.sendMessageToTarget", {"sessionId": self.session, "message": message})
        while self.last not in self.answers:
            self.page.send("Target.getTargetInfo")
        answer = self.answers.pop(self.last)
        if "error" in answer:
            raise RuntimeError(f"The worker refused {method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the worker."""
        return self.send("Runtime.evaluate", {"expression": expression, "returnByValue": True})["result"]["value"]

    def _attached(self, event: dict[str, Any]) -> None:
        if event["targetInfo"]["type"] == "worker":
            self.session = event["sessionId"]

    def _received(self, event: dict[str, Any]) -> None:
        message = json.loads(event["message"])
        if "id" in message:
            self.answers[message["id"]] = message
