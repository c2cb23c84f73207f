"""A Chromium with the built site in it, on all cores of the machine or on one."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Route, sync_playwright

from tests.site.trainer_page import TrainerPage, open_trainer
from web.build.project import DIST
from web.build.server import serve_directory

IN_PAGE = Path(__file__).with_name("in_page.js")

KEEP_MEMORY = """
for (const name of ["instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = async (...given) => {
    const result = await original(...given);
    self.pythonMemory ??= (result.instance ?? result).exports.memory;
    return result;
  };
}
"""
"""Goes before the worker's script, so that the size of Python's memory can be read from outside."""

ARGUMENTS = [
    "--no-sandbox",  # Chromium refuses to start its sandbox as root
    "--disable-background-networking",
    "--enable-precise-memory-info",
]


def can_use_one_core() -> bool:
    """Whether a program can be held on one core: on Linux only."""
    return shutil.which("taskset") is not None and hasattr(os, "sched_getaffinity")


@contextmanager
def chromium(one_core: bool = False) -> Iterator[Browser]:
    """Chromium, all of its processes on the first core that we may use if `one_core`."""
    program = os.environ["CHROMIUM"]
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        if one_core:
            launcher = Path(folder, "chromium-on-one-core")
            core = min(os.sched_getaffinity(0))
            launcher.write_text(f'#!/bin/sh\nexec taskset -c {core} {shlex.quote(program)} "$@"\n', encoding="utf-8")
            launcher.chmod(0o755)
            program = str(launcher)
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def live_trainer(browser: Browser) -> Iterator[TrainerPage]:
    """The trainer with a live engine that has trained a whole run, so that its code is compiled for good."""
    with (
        serve_directory(DIST) as site,
        open_trainer(
            browser, site.url, scripts=(IN_PAGE.read_text("utf-8"),), reduced_motion="reduce", prepare=_watch_worker
        ) as page,
    ):
        page.button("Train").click()
        page.wait_live()
        page.wait_run()
        yield page


def _watch_worker(page: TrainerPage) -> None:
    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=KEEP_MEMORY + response.text())

    page.page.route("**/assets/worker-*.js", answer)
