"""The trainer in frames of another site's page: without an origin, and several that share one engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from expected import native_run
from playwright.sync_api import Browser, expect
from trainer_page import KILL_PYTHON, RUN_MS, TrainerPage, Watch, trainer_url, write_page_of_one

from web.build.server import Handler, Site, serve_directory

CE_TOLERANCE = 0.02
"""See test_live.py."""


@contextmanager
def course_page(browser: Browser, folder: Path, site: Site, frames: str) -> Iterator[list[TrainerPage]]:
    """A page of another origin with these frames; the trainers in them."""
    (folder / "index.html").write_text(f"<!doctype html><title>Course</title>{frames}", encoding="utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    with serve_directory(folder, rules=[]) as course:
        try:
            page = context.new_page()
            watch = Watch(page, course.url)
            watch.allow(f"leaves the site: {site.url}|favicon.ico|Failed to load resource")
            page.goto(course.url)
            yield [TrainerPage(frame, watch) for frame in page.main_frame.child_frames]
            watch.check()
        finally:
            context.close()


def wait_past(page: TrainerPage, epoch: int) -> None:
    """Until the engine has trained more than so many epochs of the run."""
    later = "".join(f':not([data-trained="{n}"])' for n in range(epoch + 1))
    page.page.wait_for_selector(f"micro-trainer[data-source=live]{later}", timeout=RUN_MS)


def test_the_engine_runs_in_a_frame_without_an_origin(browser: Browser, site: Site, tmp_path: Path) -> None:
    frame = f'<iframe sandbox="allow-scripts" width="1200" height="780" src="{trainer_url(site)}"></iframe>'
    with course_page(browser, tmp_path, site, frame) as (page,):
        assert page.page.evaluate("self.origin") == "null"
        page.wait(engine="recorded", observed="FACE@40")
        page.button("Step").click()
        page.wait_live()
        page.wait_run(1)
        assert page.curve()[1][0] == pytest.approx(
            native_run("reverse", "bidirectional", 0, 1).history[1].ce, abs=CE_TOLERANCE
        )


@pytest.fixture
def asked_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every path that the servers are asked for; Playwright does not see what a shared worker fetches."""
    paths: list[str] = []
    monkeypatch.setattr(Handler, "log_message", lambda handler, *_: paths.append(handler.path))
    return paths


@pytest.mark.slow
def test_frames_share_one_engine(browser: Browser, site: Site, tmp_path: Path, asked_for: list[str]) -> None:
    """Two train at once, each its own run; one goes, one is put aside and comes back."""
    address = site.url + write_page_of_one(site.root, "micro-trainer", shares=True)
    runs = [("sort", "bidirectional"), ("copy", "causal")]
    frames = "".join(
        f'<iframe width="620" height="780" src="{address}#task={task}&mask={mask}"></iframe>' for task, mask in runs
    )
    with course_page(browser, tmp_path, site, frames) as (first, second):
        # Chromium breaks off the second frame's request for a script that runs already.
        first.watch.allow(r"failed: \S*/worker-\S+ net::ERR_ABORTED")
        for page in (first, second):
            page.wait(engine="recorded", observed="FACE@40")
        for page in (first, second):
            page.button("Train").click()
        for page in (first, second):
            page.wait_live()
            wait_past(page, 1)
        first.button("Pause").click()  # answered while the other trains
        first.wait(training=False)
        assert second.state("training") == "true"
        second.button("Pause").click()
        second.wait(training=False)
        for page, (task, mask) in zip((first, second), runs, strict=True):
            curve = page.curve()
            assert len(curve) >= 3
            native = native_run(task, mask, 0, len(curve) - 1).history
            assert [ce for ce, _ in curve] == pytest.approx([record.ce for record in native], abs=CE_TOLERANCE)
        assert sum("/pyodide.asm.wasm" in path for path in asked_for) == 1

        reached = second.trained()
        first.button("Train").click()
        first.wait(training=True)
        course = first.page.page
        course.locator("iframe").first.evaluate("(frame) => frame.remove()")
        second.button("Train").click()
        wait_past(second, reached + 1)
        for kind in ("pagehide", "pageshow"):
            second.page.evaluate("(kind) => dispatchEvent(new PageTransitionEvent(kind, { persisted: true }))", kind)
        second.wait(training=False)
        second.wait_live()
        second.probe.fill("CAFE")  # answered by the run as it was, which the engine has trained anew
        second.wait(observed=f"CAFE@{second.trained()}", timeout=RUN_MS)
        assert sum("/pyodide.asm.wasm" in path for path in asked_for) == 1


def test_a_shared_engine_that_dies_starts_again(browser: Browser, site: Site, tmp_path: Path) -> None:
    address = site.url + write_page_of_one(site.root, "micro-trainer", shares=True)
    frame = f'<iframe width="620" height="780" src="{address}"></iframe>'
    with course_page(browser, tmp_path, site, frame * 2) as pages:
        for page in pages:
            page.wait(engine="recorded", observed="FACE@40")
            page.button("Train").click()
        for page in pages:
            page.wait_live()
        pages[0].watch.allow(r"failed: \S*/worker-\S+ net::ERR_ABORTED")  # as above
        with shared_worker(browser) as run:
            run(KILL_PYTHON)
            for page in pages:
                page.wait(engine="failed", training=False)
                expect(page.status).to_contain_text("Its Python has ended: unreachable.")
        for page in pages:
            page.button("Retry").click()
        for page in pages:
            page.wait_live()
            wait_past(page, 1)


@contextmanager
def shared_worker(browser: Browser) -> Iterator[Callable[[str], None]]:
    """What runs a script in the browser's shared worker, which Playwright itself does not know."""
    session = browser.new_browser_cdp_session()
    targets = session.send("Target.getTargets")["targetInfos"]
    (worker,) = (target["targetId"] for target in targets if target["type"] == "shared_worker")
    attached = session.send("Target.attachToTarget", {"targetId": worker, "flatten": False})["sessionId"]

    def run(script: str) -> None:
        call = {"id": 1, "method": "Runtime.evaluate", "params": {"expression": script}}
        session.send("Target.sendMessageToTarget", {"sessionId": attached, "message": json.dumps(call)})

    try:
        yield run
    finally:
        session.detach()
