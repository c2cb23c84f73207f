"""The address: it follows what is on screen, and a link shows what its sender saw."""

from __future__ import annotations

import re

import pytest
from expected import native_run, recording
from playwright.sync_api import expect
from trainer_page import RUN_MS, Open


def test_a_link_to_a_recorded_run_shows_exactly_that(open_page: Open) -> None:
    page = open_page("#task=sort&mask=causal&probe=HEAD&epoch=7", save_data=True)
    page.wait(engine="recorded", source="recorded", observed="HEAD@7")
    expect(page.radio("Sort")).to_be_checked()
    expect(page.radio("Causal")).to_be_checked()
    expect(page.probe).to_have_value("HEAD")
    assert page.epoch() == 7
    run = recording("sort", "causal")
    expect(page.ce).to_have_text(f"{run['history'][7]['ce']:.3f}")
    expect(page.accuracy).to_have_text(f"{run['history'][7]['accuracy']:.1%}")
    assert page.row("Probe") == list("HEAD")
    assert page.answer() == run["probes"]["HEAD"][7]["prediction"]
    assert page.row("Target") == list("ADEH")
    assert page.watch.runtime_requests() == []


def test_the_address_follows_the_reader(open_page: Open) -> None:
    page = open_page(save_data=True, reduced_motion="reduce")
    page.wait(observed="FACE@40")
    page.choose("copy", "causal")
    expect(page.figure.locator(".masked")).to_be_visible()  # its recording has arrived
    page.button("EDGE").click()
    page.scrub(9, "EDGE")
    page.page.wait_for_url(re.compile(r"#v=1&task=copy&mask=causal&probe=EDGE&epoch=9$"))
    # What the address says is what the next reader gets.
    scores, answer, maps = page.scores(), page.answer(), page.maps()
    again = open_page(page.page.url.removeprefix(page.watch.address), save_data=True)
    again.wait(observed="EDGE@9")
    assert (again.scores(), again.answer(), again.maps()) == (scores, answer, maps)
    # Back at the defaults, it says nothing.
    page.choose("reverse", "bidirectional")
    page.button("FACE").click()
    page.wait(observed="FACE@40")
    page.page.wait_for_url(page.watch.address)


def test_a_link_to_an_unrecorded_run_trains_up_to_its_epoch(open_page: Open) -> None:
    page = open_page("#seed=3&epoch=5")
    done = 'micro-trainer[data-source=live][data-training=false][data-observed="FACE@5"]'
    page.page.wait_for_selector(done, timeout=RUN_MS)
    assert page.trained() == page.epoch() == 5
    expect(page.seed).to_have_value("3")
    history = native_run("reverse", "bidirectional", 3, 5).history
    assert [ce for ce, _ in page.curve()] == pytest.approx([record.ce for record in history], abs=0.02)


def test_a_link_that_is_followed_before_another_has_opened_takes_its_place(open_page: Open) -> None:
    page = open_page("#seed=5", reduced_motion="reduce")
    page.page.evaluate("location.hash = '#probe=HEAD'")
    page.wait_live()
    page.wait_run(40)
    page.wait(opening=False, observed="HEAD@40")
    expect(page.seed).to_have_value("0")
    run = recording("reverse", "bidirectional")
    assert page.scores()[0] == pytest.approx(run["history"][40]["ce"], abs=0.02)


@pytest.mark.parametrize(
    "fragment", ["#task=nothing&mask=-1&probe=XYZ&epoch=x&seed=1.5", "#epoch=99999999999", "#%E0%A4%A", "#probe=%00"]
)
def test_a_broken_link_shows_the_default(open_page: Open, fragment: str) -> None:
    page = open_page(fragment, save_data=True, reduced_motion="reduce")
    page.wait(engine="recorded", observed="FACE@40")
    expect(page.radio("Reverse")).to_be_checked()
    expect(page.radio("Bidirectional")).to_be_checked()


def test_an_epoch_beyond_the_last_is_the_last(open_page: Open) -> None:
    page = open_page("#epoch=9999", save_data=True)
    page.wait(observed="FACE@40")
    assert page.epoch() == 40
