"""The recorded runs: what a reader sees before, and without, Python."""

from __future__ import annotations

import re

import pytest
from expected import ROUNDING, RUNS, native_maps, native_run, recording
from playwright.sync_api import Browser, expect
from trainer_page import WATCH_STATE, Open, TrainerPage, open_trainer

from microtransformer.limits import bayes_limit
from web.build.server import Site

CALM = {"reduced_motion": "reduce", "save_data": True}
"""A page that stays as it is: no replay, and no engine that takes over while a test uses the controls."""


def assert_shows_record(page: TrainerPage, task: str, mask: str, epoch: int) -> None:
    record = recording(task, mask)["history"][epoch]
    expect(page.ce).to_have_text(f"{record['ce']:.3f}")
    expect(page.accuracy).to_have_text(f"{record['accuracy']:.1%}")


def test_the_page_replays_a_run_before_any_python(open_page: Open) -> None:
    page = open_page(scripts=(WATCH_STATE,))
    page.wait(engine="recorded", source="recorded", observed="FACE@40")
    states = page.states_shown()
    # A frame that is late skips an epoch, never goes back: from untrained to trained, most epochs are seen.
    epochs = [state["epoch"] for state in states]
    assert epochs == sorted(epochs)
    assert epochs[0] == 0
    assert len(set(epochs)) > 20
    for state in states:
        assert state["ce"] == f"{recording('reverse', 'bidirectional')['history'][state['epoch']]['ce']:.3f}"
    assert page.watch.runtime_requests() == []
    expect(page.status).to_contain_text("Recorded: this run was trained when the page was built")
    # The reader comes nearer: now it is worth downloading.
    page.page.mouse.wheel(0, 10)
    page.wait(engine="loading")
    expect(page.status).to_contain_text("Until they run, this is the recorded run.")
    page.wait_live()
    assert len(page.watch.runtime_requests()) >= 7


def test_a_reader_who_wants_no_motion_sees_the_end_at_once(open_page: Open) -> None:
    page = open_page(reduced_motion="reduce", scripts=(WATCH_STATE,))
    page.wait(engine="recorded", observed="FACE@40")
    assert {state["epoch"] for state in page.states_shown()} == {40}
    # Asked for, the run is played all the same: the button is the reader's own wish.
    page.button("Replay").click()
    expect(page.button("Stop")).to_be_visible()
    page.wait(observed="FACE@40")
    expect(page.button("Replay")).to_be_visible()
    assert len({state["epoch"] for state in page.states_shown()}) > 20


def test_a_replay_can_be_stopped(open_page: Open) -> None:
    page = open_page(**CALM)
    page.wait(observed="FACE@40")
    page.button("Replay").click()
    page.button("Stop").click()
    expect(page.button("Replay")).to_be_visible()
    assert page.epoch() < 40
    # Were it still playing, the slider would not stay where the reader puts it.
    page.scrub(2)
    assert_shows_record(page, "reverse", "bidirectional", 2)
    expect(page.button("Replay")).to_be_visible()


def test_all_six_runs_are_those_of_the_build(open_page: Open) -> None:
    page = open_page(**CALM)
    for task, mask in RUNS:
        page.choose(task, mask)
        limit = bayes_limit(task, mask)
        assert_shows_record(page, task, mask, 40)
        assert page.epoch() == page.epochs() == 40
        metrics = page.figure.locator(".metrics")
        expect(metrics).to_contain_text(f"limit {limit.ce:.3f}")
        expect(metrics).to_contain_text(f"limit {limit.accuracy:.2%}")
        run = recording(task, mask)
        assert run["limit"]["ce"] == pytest.approx(limit.ce, abs=1e-12)
        page.wait(source="recorded", observed="FACE@40")
        observation = run["probes"]["FACE"][40]
        assert page.answer() == observation["prediction"]
        assert "".join(page.row("Target")) == observation["target"]
    assert page.watch.runtime_requests() == []


@pytest.mark.parametrize(("task", "mask"), [("reverse", "bidirectional"), ("sort", "causal")])
def test_the_slider_shows_each_epochs_record(open_page: Open, task: str, mask: str) -> None:
    page = open_page(f"#task={task}&mask={mask}", **CALM)
    page.wait(trained=40)
    shown = page.curve()
    history = recording(task, mask)["history"]
    assert shown == [
        (pytest.approx(record["ce"], abs=ROUNDING), pytest.approx(record["accuracy"], abs=ROUNDING))
        for record in history
    ]


@pytest.mark.parametrize("mask", ["bidirectional", "causal"])
@pytest.mark.parametrize(("probe", "epoch"), [("FACE", 0), ("HEAD", 9), ("EDGE", 40)])
def test_the_maps_show_the_recorded_attention(open_page: Open, mask: str, probe: str, epoch: int) -> None:
    page = open_page(f"#mask={mask}&probe={probe}&epoch={epoch}", **CALM)
    page.wait(observed=f"{probe}@{epoch}")
    # The build runs the package on another machine than the test, perhaps: float32 sums in another order.
    native = native_maps(native_run("reverse", mask), epoch, probe)
    flat = recording("reverse", mask)["probes"][probe][epoch]["attention"]
    for head, rows in enumerate(page.maps()):
        for query, row in enumerate(rows):
            recorded = flat[(head * 4 + query) * 4 :][:4]
            for key, value in enumerate(row):
                if mask == "causal" and key > query:
                    assert value is None
                    assert recorded[key] == 0
                else:
                    assert value == pytest.approx(recorded[key], abs=ROUNDING)
                    assert value == pytest.approx(native[head, query, key], abs=0.02)
            assert sum(value or 0 for value in row) == pytest.approx(1, abs=0.002)


def test_a_reader_who_saves_data_downloads_nothing_unasked(open_page: Open) -> None:
    page = open_page(save_data=True)
    page.wait(observed="FACE@40")
    page.page.mouse.wheel(0, 400)
    page.page.mouse.wheel(0, -400)
    page.choose("sort", "causal")
    page.probe.fill("EDGE")
    page.wait(engine="recorded", observed="EDGE@40")
    assert page.watch.runtime_requests() == []
    page.button("Train").click()
    page.wait_live()


def test_the_page_without_javascript_has_the_numbers(browser: Browser, site: Site) -> None:
    with open_trainer(browser, site.url, java_script_enabled=False) as page:
        rows = page.figure.get_by_role("row").all()
        found = {tuple(cells[:2]): cells[2:] for cells in (row.get_by_role("cell").all_inner_texts() for row in rows)}
        found.pop((), None)  # the row of headings
        assert set(found) == set(RUNS)
        for run, (accuracy, best_accuracy, ce, best_ce) in found.items():
            last, limit = recording(*run)["history"][-1], bayes_limit(*run)
            assert accuracy == f"{last['accuracy']:.2%}"
            assert best_accuracy == f"{limit.accuracy:.2%}"
            assert ce == f"{last['ce']:.3f}"
            assert best_ce == f"{limit.ce:.3f}"
        text = page.page.locator("main").inner_text()
        assert not re.search(r"\{\{|\bundefined\b|\bNaN\b", text)
        for heading in ("Train one", "Reverse needs the anti-diagonal", "The same numbers on your machine"):
            expect(page.page.get_by_role("heading", name=heading)).to_be_visible()
        assert page.watch.runtime_requests() == []
