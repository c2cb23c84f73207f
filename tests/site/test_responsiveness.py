"""Training leaves the page free: Python is in a worker, and what it reports is drawn in short tasks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from main_thread import LONG_MS, Task, end_trace, start_trace
from playwright.sync_api import Browser, expect
from trainer_page import Open, TrainerPage, open_trainer, trainer_url

from web.build.server import Site

ATTEMPTS = 3
"""A neighbour on the same core slows the processor itself. What the page does is the same in every attempt, so one that
is clean shows that its tasks are short."""


def long_tasks(tasks: list[Task]) -> list[float]:
    """By the processor's time: by the clock, a neighbour on the same core would be charged to the page."""
    return [task.processor for task in tasks if task.processor > LONG_MS]


def train_and_use(page: TrainerPage) -> None:
    """A run trains from its first epoch to its last, and the reader tries everything meanwhile."""
    page.button("Train").click()
    page.wait(training=True)
    for probe in ("HEAD", "BEAD", "HHHA"):
        page.probe.fill(probe)
        page.page.wait_for_selector(f'micro-trainer[data-observed^="{probe}@"]')
    page.slider.fill("0")
    page.wait(observed="HHHA@0")
    page.probe.fill("FACE")
    page.slider.fill(str(page.trained()))  # and stay with the latest from here on
    page.wait_run()


COUNT_DRAWING = """
globalThis.drawn = { fillRect: 0, fillText: 0, stroke: 0 };
for (const name of Object.keys(drawn)) {
  const original = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...given) {
    drawn[name]++;
    return original.apply(this, given);
  };
}
"""

DRAWN_SINCE = """async () => {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
  const counts = { ...drawn };
  for (const name of Object.keys(drawn)) drawn[name] = 0;
  return counts;
}"""
"""What has been drawn on canvases since the last call, after the frames that draw it."""


def test_only_what_has_changed_is_drawn(open_page: Open) -> None:
    page = open_page(save_data=True, reduced_motion="reduce", scripts=(COUNT_DRAWING,))
    page.wait(observed="FACE@40")
    page.probe.focus()
    page.page.evaluate(DRAWN_SINCE)
    page.seed.focus()  # a field that has been left is written anew: a frame, but no other picture
    assert page.page.evaluate(DRAWN_SINCE) == {"fillRect": 0, "fillText": 0, "stroke": 0}
    page.page.get_by_role("img", name="Layer 1, head 1", exact=True).focus()
    assert page.page.evaluate(DRAWN_SINCE) == {"fillRect": 1, "fillText": 1, "stroke": 0}  # the cell under the cursor
    page.slider.focus()  # which takes the cursor out of the map
    page.page.evaluate(DRAWN_SINCE)
    page.scrub(0)
    drawn = page.page.evaluate(DRAWN_SINCE)
    assert 0 < drawn["fillRect"] <= 4 * 4 * 4  # each cell of four heads at most once
    assert drawn["stroke"] > 0  # the curves' marker


@pytest.fixture(scope="module")
def page(browser: Browser, site: Site) -> Iterator[TrainerPage]:
    """A live engine, one epoch into a run."""
    with open_trainer(browser, trainer_url(site), reduced_motion="reduce") as page:
        page.wait(observed="FACE@40")
        page.button("Step").click()
        page.wait_live()
        page.wait_run(1)
        yield page


def test_a_pause_is_answered_in_the_middle_of_an_epoch(page: TrainerPage) -> None:
    for _ in range(5):
        before = page.trained()
        # Both presses in one task of the page: what is measured is the engine, not this test's way to the browser.
        page.button("Train").evaluate("(button) => { button.click(); button.click(); }")
        page.button("Step").click()
        page.wait(training=False, trained=before + 1)
        expect(page.button("Train")).to_be_visible()
        # Step went one epoch on from `before`: the pause was obeyed within that epoch, which is many slices long.
        assert page.epoch() == before + 1


@pytest.mark.alone
@pytest.mark.slow
def test_no_task_of_the_main_thread_is_long_while_training(browser: Browser, page: TrainerPage) -> None:
    # The measure measures: a task that does take long is found.
    start_trace(browser, page.page)
    # By its work, not by the clock: on a busy machine, half a second may hold little of the processor's time.
    page.page.evaluate("() => { let sum = 0; for (let i = 0; i < 1e8; i++) sum += Math.sqrt(i); return sum; }")
    page.page.evaluate("0")  # a task after it: only now has it certainly ended
    assert long_tasks(end_trace(browser))

    attempts = []
    page.button("Reset").click()
    page.wait(training=False, trained=0)
    for _ in range(ATTEMPTS):
        start_trace(browser, page.page)
        train_and_use(page)
        attempts.append(long_tasks(end_trace(browser)))
        if not attempts[-1]:
            break
    assert attempts[-1] == [], attempts
