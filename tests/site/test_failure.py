"""The engine does not load: the reader is told which file and why, keeps the recorded runs, and can try again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from expected import recording
from playwright.sync_api import Browser, Route, expect
from trainer_page import BOOT_MS, KILL_PYTHON, Open, TrainerPage, config, open_trainer, trainer_url

from web.build.server import Site

ROLES = ["script", "wasm", "stdlib", "package", "loops"]
"""Of the files that the page fetches at boot; test_site_files.py holds that there are no others."""

Handler = Callable[[Route], None]


@pytest.fixture(scope="module")
def runtime_files(browser: Browser, site: Site) -> list[dict[str, Any]]:
    """The files that the page fetches to start the engine, in a browser as new as Chromium is."""
    with open_trainer(browser, trainer_url(site), save_data=True) as page:
        files: list[dict[str, Any]] = config(page.page)["runtime"]["files"]
    return [file for file in files if file.get("simd") != "fixed"]


def flip_a_bit(route: Route) -> None:
    """Answer with the file, one bit of it wrong."""
    if route.request.method == "HEAD":  # the page asks why; there is no body to spoil
        return route.continue_()
    answer = route.fetch()
    body = bytearray(answer.body())
    body[len(body) // 2] ^= 1
    return route.fulfill(response=answer, body=bytes(body))


def is_missing(route: Route) -> None:
    route.fulfill(status=404, body="no such file")


def connection_breaks(route: Route) -> None:
    route.abort("connectionreset")


def never_answers(route: Route) -> None:
    """Leave the request open."""


def fail_to_load(page: TrainerPage, file: str, handler: Handler, reason: str) -> None:
    """Train, with this answer for one file of the runtime; the page then tells that the engine failed, and why."""
    train_with(page, file, handler)
    expect_told(page, file, reason)


def train_with(page: TrainerPage, file: str, handler: Handler) -> None:
    page.watch.allow(rf"(status 404|failed): \S*/{re.escape(file)}")  # the failure itself
    page.watch.allow(r"failed: \S*/pyodide/\S+ net::ERR_ABORTED")  # the other downloads are broken off
    page.page.route(f"**/{file}*", handler)
    page.wait(observed="FACE@40")
    page.button("Train").click()


def expect_told(page: TrainerPage, file: str, reason: str) -> None:
    page.wait(engine="failed", timeout=BOOT_MS)
    expect(page.status).to_contain_text("The live engine did not start.")
    expect(page.status).to_contain_text(re.compile(rf"\. {re.escape(file)}\S* \(\d[\d.]* [kM]B\) {reason}\. "))
    expect(page.button("Retry")).to_be_visible()
    expect(page.page.get_by_role("progressbar")).to_be_hidden()
    page.wait(source="recorded", training=False)


@pytest.mark.parametrize("role", ROLES)
def test_a_wrong_byte_in_any_file_is_refused(open_page: Open, runtime_files: list[dict[str, Any]], role: str) -> None:
    files = [file for file in runtime_files if file["role"] == role]
    assert files
    for file in files:
        page = open_page(reduced_motion="reduce", save_data=True)
        fail_to_load(page, file["name"], flip_a_bit, r"did not arrive as published: .*wrong")


def test_after_every_failure_the_recorded_runs_work_and_retry_loads(open_page: Open) -> None:
    page = open_page(reduced_motion="reduce")
    fail_to_load(page, "numpy", flip_a_bit, r"did not arrive as published: .*wrong")
    use_recorded_runs(page, 3)
    # Another cause each time: it fails again, tells the new one, and can be tried again.
    for epoch, handler, reason in [
        (5, is_missing, "did not arrive: the server answered 404. A newer version .* reload the page"),
        (8, connection_breaks, "did not arrive: the connection failed"),
        (9, connection_breaks, "did not arrive: the connection failed"),
    ]:
        page.page.unroute_all()
        page.page.route("**/numpy*", handler)
        page.button("Retry").click()
        page.wait(engine="loading")
        expect_told(page, "numpy", reason)
        use_recorded_runs(page, epoch)
    page.page.unroute_all()
    page.button("Retry").click()
    page.wait_live()
    expect(page.button("Retry")).to_be_hidden()
    page.wait(source="live", training=True, timeout=BOOT_MS)  # what the reader had asked for
    page.watch.allow("console error: (Pyodide has suffered|The cause of|RuntimeError: unreachable|Stack)")
    page.page.workers[-1].evaluate(KILL_PYTHON)
    page.wait(engine="failed", training=False)
    expect(page.status).to_contain_text("The live engine has stopped. Its Python has ended: unreachable.")
    page.button("Retry").click()
    page.wait_live()
    page.wait_run(page.trained())  # reproduced; Train goes on


def use_recorded_runs(page: TrainerPage, epoch: int) -> None:
    page.choose("sort", "causal")
    page.button("EDGE").click()
    page.scrub(epoch, "EDGE")
    run = recording("sort", "causal")
    expect(page.ce).to_have_text(f"{run['history'][epoch]['ce']:.3f}")
    assert page.answer() == run["probes"]["EDGE"][epoch]["prediction"]
    expect(page.button("Retry")).to_be_visible()


SECONDS_PASS_SOONER = """{
  const setInterval = self.setInterval.bind(self);
  self.setInterval = (act, ms, ...given) => setInterval(act, ms === 1000 ? 200 : ms, ...given);
}
"""


def hurry(route: Route) -> None:
    """Answer with the worker's script, whose ticks of a second come five times as fast."""
    answer = route.fetch()
    route.fulfill(response=answer, body=SECONDS_PASS_SOONER + answer.text())


@pytest.mark.slow
def test_a_download_that_stalls_is_told(open_page: Open) -> None:
    """Whether it is one of the files that come first, or of the others; two pages, so that they stall together."""
    pages = {file: open_page(reduced_motion="reduce") for file in ("pyodide.asm.wasm", "numpy.wasm")}
    for file, page in pages.items():
        page.page.route("**/worker-*", hurry)
        train_with(page, file, never_answers)
    for file, page in pages.items():
        expect_told(page, file, "did not arrive: no byte came for 30 seconds")
        page.page.unroute_all()
        page.button("Retry").click()
        page.wait_live()


def test_a_worker_that_does_not_load_is_told(open_page: Open) -> None:
    page = open_page(reduced_motion="reduce")
    page.wait(observed="FACE@40")
    page.watch.allow(r"(failed|status 404): \S*/worker-|console error: Failed to load resource")
    page.page.route("**/worker-*", is_missing)
    page.button("Train").click()
    page.wait(engine="failed")
    expect(page.status).to_contain_text("The engine's script could not be loaded.")
    page.page.unroute_all()
    page.button("Retry").click()
    page.wait_live()


def test_a_recorded_run_that_does_not_load_is_told(open_page: Open) -> None:
    page = open_page(reduced_motion="reduce", save_data=True)
    page.wait(observed="FACE@40")
    page.watch.allow(r"status 404: \S*/recorded/copy-causal-|console error: Failed to load resource")
    page.page.route("**/recorded/copy-causal-*", is_missing)
    page.choose("copy", "causal")
    expect(page.page.get_by_role("alert")).to_have_text("The recorded run did not load: the server answered 404.")
    page.page.unroute_all()
    page.radio("Bidirectional").check()
    expect(page.page.get_by_role("alert")).to_be_empty()
    page.radio("Causal").check()
    expect(page.page.get_by_role("alert")).to_be_empty()
    expect(page.ce).to_have_text(f"{recording('copy', 'causal')['history'][40]['ce']:.3f}")
