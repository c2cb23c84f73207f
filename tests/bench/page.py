"""The page while it trains: frames, tasks of its main thread, and how soon it answers; with all cores and with one.

Beside every figure stands the same page at rest, in turns with it: the machine's own noise shows there, too.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from statistics import quantiles

from playwright.sync_api import Browser

from tests.bench.browsing import can_use_one_core, chromium, live_trainer
from tests.bench.report import median, note, table
from tests.site.main_thread import LONG_MS, Task, end_trace, start_trace
from tests.site.trainer_page import TrainerPage

ROUNDS = 4
"""Times that the page at rest and the page that trains are watched in turns."""
WATCH_MS = 4000
"""How long each time."""
PRESSES = 40
"""Of Pause, of the slider, and of the probe."""

FRAME_MS = 1000 / 60
LATE_MS = 1.5 * FRAME_MS
"""A gap from here on has skipped a frame."""
PAUSE_MS, REDRAW_MS = 20, 16
"""What we ask for."""


@dataclass
class Watched:
    """What was seen of the page in one state."""

    gaps: list[float] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)


def run() -> str:
    """The report, as Markdown."""
    places = {f"{os.cpu_count()} cores": False} | ({"1 core": True} if can_use_one_core() else {})
    frames, tasks, answers = [], [], []
    for place, one_core in places.items():
        note(f"  {place}: starting the page")
        with chromium(one_core) as browser, live_trainer(browser) as page:
            for state, seen in watch(browser, page).items():
                frames.append([f"{place}, {state}", *frame_cells(seen.gaps)])
                tasks.append([f"{place}, {state}", *task_cells(seen.tasks)])
            note(f"  {place}: presses")
            answers += [[f"{place}: {what}", *cells] for what, cells in press(page).items()]
    missing = "" if len(places) > 1 else "\n\nOne core was not measured: that needs Linux and taskset."
    return "\n\n".join(
        [
            f"Frames, in {ROUNDS} x {WATCH_MS / 1000:.0f} s at rest and training in turns; gaps in ms.",
            table(["", "frames/s", "median", "p95", "p99", "longest", "skipped a frame"], frames),
            f"Tasks of the main thread, from a trace of as long; ms. Long is over {LONG_MS} ms.",
            table(
                ["", "busy", "longest, processor", "long, processor", "longest, clock", "long, clock"],
                tasks,
            ),
            f"Answers while training, {PRESSES} of each; ms.",
            table(["", "median", "p95", "longest", "asked for", "within it"], answers),
        ]
    ) + missing  # fmt: skip


def watch(browser: Browser, page: TrainerPage) -> dict[str, Watched]:
    """The page at rest and training, in turns. Frames and traces apart: a trace slows what it watches."""
    seen = {"at rest": Watched(), "training": Watched()}
    for index in range(ROUNDS):
        for state in list(seen) if index % 2 == 0 else list(seen)[::-1]:
            page.page.evaluate("(on) => bench.train(on)", state == "training")
            seen[state].gaps += page.page.evaluate("(ms) => bench.frames(ms)", WATCH_MS)
            start_trace(browser, page.page)
            page.page.evaluate("(ms) => bench.frames(ms)", WATCH_MS)
            seen[state].tasks += end_trace(browser)
        note(f"  round {index + 1} of {ROUNDS}")
    page.page.evaluate("bench.train(false)")
    return seen


def press(page: TrainerPage) -> dict[str, list[str]]:
    """Rows of the table of answers."""
    pauses = page.page.evaluate("(rounds) => bench.pauses(rounds)", PRESSES)
    rows = {
        "Pause until the worker has stopped": answer_cells([p["stopped"] for p in pauses], PAUSE_MS),
        "Pause until the page shows it": answer_cells([p["shown"] for p in pauses], PAUSE_MS),
    }
    for what in ("slider", "probe"):
        answers = page.page.evaluate("([what, rounds]) => bench.answers(what, rounds)", [what, PRESSES])
        rows[f"{what}, press until the worker's answer"] = answer_cells([a["answered"] for a in answers])
        rows[f"{what}, answer until drawn"] = answer_cells([a["drawn"] for a in answers], REDRAW_MS)
    return rows


def percentile(values: list[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def frame_cells(gaps: list[float]) -> list[str]:
    """Cells of one row: frames a second, gaps, and the share of gaps that skipped a frame."""
    late = sum(gap > LATE_MS for gap in gaps)
    figures = [1000 * len(gaps) / sum(gaps), median(gaps), percentile(gaps, 95), percentile(gaps, 99), max(gaps)]
    return [*(f"{figure:.1f}" for figure in figures), f"{late} of {len(gaps)}"]


def task_cells(tasks: list[Task]) -> list[str]:
    """Cells of one row: the share of the time that the thread worked, and its longest tasks by either measure."""
    cells = [f"{sum(task.processor for task in tasks) / (ROUNDS * WATCH_MS):.1%}"]
    for times in ([task.processor for task in tasks], [task.clock for task in tasks]):
        cells += [f"{max(times):.1f}", str(sum(ms > LONG_MS for ms in times))]
    return cells


def answer_cells(times: list[float], wanted: float | None = None) -> list[str]:
    """Cells of one row: the distribution, and how many were as fast as asked for, if anything is."""
    asked = ["", ""] if wanted is None else [f"{wanted:.0f}", f"{sum(ms <= wanted for ms in times)} of {len(times)}"]
    return [*(f"{figure:.1f}" for figure in (median(times), percentile(times, 95), max(times))), *asked]
