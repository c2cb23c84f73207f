"""How long the page's main thread was busy at a stretch, from a trace of the browser."""

from __future__ import annotations

import json
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

LONG_MS = 50
"""From here on a task counts as long (W3C Long Tasks API)."""

CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline"]


@dataclass(frozen=True)
class Task:
    """One task, in milliseconds.

    The browser's own `longtask` entries go by the clock. On a machine with more work than processors, as one that runs
    tests often is, they mostly tell how long the page stood in the queue: tasks of 10 ms were seen to last 300.
    """

    clock: float
    processor: float
    """The thread's own time; where the system does not tell it, the same as `clock`."""


def start_trace(browser: Browser, page: Page) -> None:
    browser.start_tracing(page=page, categories=CATEGORIES)


def end_trace(browser: Browser) -> list[Task]:
    """Every task of the page's main thread since the trace was started."""
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main = {
        (e["pid"], e["tid"]) for e in events if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain"
    }
    tasks = [e for e in events if e["name"].endswith("RunTask") and e["ph"] == "X" and (e["pid"], e["tid"]) in main]
    return [Task(e["dur"] / 1000, e.get("tdur", e["dur"]) / 1000) for e in tasks]
