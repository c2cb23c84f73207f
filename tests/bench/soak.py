"""Memory over ten minutes of training, and over 200 new runs.

Runs that have ended begin again, so the ten minutes hold many. What is sampled: the page's JavaScript heap and the
worker's, each after a forced collection; the worker's WebAssembly memory; DOM nodes and event listeners; and what the
renderer's process holds of the machine's memory.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import linear_regression
from typing import Any

from playwright.sync_api import Browser, CDPSession

from tests.bench.browsing import chromium, live_trainer
from tests.bench.report import median, note, table
from tests.bench.targets import WorkerTarget
from tests.site.trainer_page import TrainerPage

MINUTES = 10
SAMPLE_SECONDS = 30
RESETS = 200
RESETS_PER_SAMPLE = 20

WARM_UP = 2
"""Samples at the start that do not count: code is still being compiled and caches filled."""

FLAT = {"page_heap": 0.5, "worker_heap": 0.5, "webassembly": 0.0, "nodes": 50.0, "listeners": 5.0, "process": 12.0}
"""By how much the last third of the samples may lie above the first third, in medians: MB, or a number. A run
that was kept would show: 41 snapshots of its weights alone are 3.5 MB. WebAssembly memory never shrinks: all growth
counts."""


@dataclass(frozen=True)
class Sample:
    """Sizes in MB; nodes and listeners in numbers."""

    seconds: float
    runs: int
    page_heap: float
    worker_heap: float
    webassembly: float
    nodes: int
    listeners: int
    process: float


class Meter:
    """Reads the sizes of one open page."""

    def __init__(self, browser: Browser, page: TrainerPage) -> None:
        self.page = page
        self.session = page.page.context.new_cdp_session(page.page)
        self.session.send("Performance.enable")
        self.worker = WorkerTarget(self.session)
        self.process = renderer(browser.new_browser_cdp_session())
        self.started = time.monotonic()

    def sample(self, runs: int) -> Sample:
        """One row of the table."""
        self.session.send("HeapProfiler.collectGarbage")
        self.worker.send("HeapProfiler.collectGarbage")
        metrics = {entry["name"]: entry["value"] for entry in self.session.send("Performance.getMetrics")["metrics"]}
        return Sample(
            seconds=time.monotonic() - self.started,
            runs=runs,
            page_heap=self.session.send("Runtime.getHeapUsage")["usedSize"] / 1e6,
            worker_heap=self.worker.send("Runtime.getHeapUsage")["usedSize"] / 1e6,
            webassembly=self.worker.evaluate("pythonMemory.buffer.byteLength") / 1e6,
            nodes=int(metrics["Nodes"]),
            listeners=int(metrics["JSEventListeners"]),
            process=resident_bytes(self.process) / 1e6,
        )


def renderer(browser: CDPSession) -> int:
    """The process that holds the page and its worker: of those that draw pages, the largest."""
    processes: list[dict[str, Any]] = browser.send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [int(process["id"]) for process in processes if process["type"] == "renderer"]
    return max(renderers, key=resident_bytes)


def resident_bytes(process: int) -> float:
    """Of the machine's memory; NaN where the system does not tell it in Linux's way."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    except OSError:
        return float("nan")
    return pages * 4096.0


def run() -> str:
    """The report, as Markdown."""
    with chromium() as browser, live_trainer(browser) as page:
        meter = Meter(browser, page)
        training = watch_training(meter, page)
        resets = watch_resets(meter, page)
    return "\n\n".join(
        part
        for title, samples in ((f"{MINUTES} minutes of training", training), (f"{RESETS} new runs", resets))
        for part in (f"{title}. MB, except numbers.", table(HEADER, [cells(s) for s in samples]), verdict(samples))
    )


def watch_training(meter: Meter, page: TrainerPage) -> list[Sample]:
    """Samples while one run after the other is trained to its end."""
    page.page.evaluate("bench.train(true)")
    samples = [meter.sample(0)]
    while samples[-1].seconds < 60 * MINUTES:
        page.page.evaluate("(ms) => bench.pass(ms)", 1000 * SAMPLE_SECONDS)
        samples.append(meter.sample(page.page.evaluate("bench.runs()")))
        note(f"  {samples[-1].seconds:.0f} s, {samples[-1].runs} runs")
    page.page.evaluate("bench.train(false)")
    return samples


def watch_resets(meter: Meter, page: TrainerPage) -> list[Sample]:
    """Samples while new runs are begun, each with another task, mask or seed, and left after an epoch."""
    samples = [meter.sample(0)]
    for done in range(0, RESETS, RESETS_PER_SAMPLE):
        page.page.evaluate("([first, count]) => bench.restarts(first, count)", [done, RESETS_PER_SAMPLE])
        samples.append(meter.sample(done + RESETS_PER_SAMPLE))
        note(f"  {samples[-1].runs} new runs")
    return samples


HEADER = ["seconds", "runs", "page heap", "worker heap", "WebAssembly", "nodes", "listeners", "process"]


def cells(sample: Sample) -> list[str]:
    values = (getattr(sample, field.name) for field in fields(sample))
    return [f"{value:.1f}" if isinstance(value, float) else str(value) for value in values]


def verdict(samples: list[Sample]) -> str:
    """A table: what grew, against what may grow; and one word for all of it."""
    counted = samples[WARM_UP:]
    third = max(1, len(counted) // 3)
    rows, flat = [], True
    for name, allowed in FLAT.items():
        first, last = (median([getattr(s, name) for s in part]) for part in (counted[:third], counted[-third:]))
        good = not last - first > allowed  # what the system does not tell is NaN, and does not count
        flat = flat and good
        slope = linear_regression([s.seconds / 60 for s in counted], [getattr(s, name) for s in counted]).slope
        figures = [f"{first:.1f}", f"{last:.1f}", f"{last - first:+.2f}", f"{allowed:.1f}", f"{slope:+.3f}"]
        rows.append([name.replace("_", " "), *figures, "yes" if good else "NO"])
    growth = table(["", "first third", "last third", "growth", "allowed", "a minute", "flat"], rows)
    return f"Medians without the first {WARM_UP} samples: memory is {'flat' if flat else 'NOT flat'}.\n\n{growth}"
