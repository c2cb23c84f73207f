"""Wrong input is explained beside its field, and the last good one stays on screen. The tests share a page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect
from trainer_page import TrainerPage, open_trainer, trainer_url

from web.build.server import Site


@pytest.fixture(scope="module")
def opened(browser: Browser, site: Site) -> Iterator[TrainerPage]:
    with open_trainer(browser, trainer_url(site), save_data=True, reduced_motion="reduce") as page:
        yield page


@pytest.fixture
def page(opened: TrainerPage) -> Iterator[TrainerPage]:
    """The last epoch of the recorded run. What goes wrong in the page is charged to the test that did it."""
    opened.seed.fill("0")
    opened.seed.press("Enter")
    opened.button("FACE").click()
    opened.wait(observed="FACE@40")
    expect(opened.probe).to_have_value("FACE")
    yield opened
    opened.watch.check()


def explanation(field: Locator) -> Locator:
    """The text that the field names as its description."""
    name = field.get_attribute("aria-describedby")
    assert name
    return field.page.locator(f"#{name}")


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("ABX1", "“X” is not one of the letters A to H."),
        ("ABC", "A probe has 4 letters, A to H; this has 3."),
        ("ABCDE", "A probe has 4 letters, A to H; this has 5."),
        ("", "A probe has 4 letters, A to H; this has 0."),
        ("AB D", "“ ” is not one of the letters A to H."),
    ],
)
def test_a_wrong_probe_is_explained_and_the_last_good_one_stays(page: TrainerPage, typed: str, reason: str) -> None:
    page.probe.fill("HEAD")
    page.wait(observed="HEAD@40")
    maps, answer = page.maps(), page.answer()
    page.probe.fill(typed)
    expect(explanation(page.probe)).to_have_text(f"{reason} Still showing HEAD.")
    expect(explanation(page.probe)).to_be_visible()
    expect(page.probe).to_have_attribute("aria-invalid", "true")
    expect(page.probe).to_have_value(typed)
    # Whatever else is redrawn, the good probe goes on being shown.
    page.scrub(39, "HEAD")
    page.scrub(40, "HEAD")
    assert (page.maps(), page.answer(), page.row("Probe")) == (maps, answer, list("HEAD"))
    page.probe.blur()
    expect(page.probe).to_have_value(typed)
    page.probe.fill("EDGE")
    page.wait(observed="EDGE@40")
    expect(explanation(page.probe)).to_be_empty()
    expect(page.probe).to_have_attribute("aria-invalid", "false")


def test_the_explanation_stands_beside_the_field(page: TrainerPage) -> None:
    page.probe.fill("ABC")
    text, field = explanation(page.probe).bounding_box(), page.probe.bounding_box()
    assert text
    assert field
    assert 0 <= text["y"] - (field["y"] + field["height"]) < 16
    assert abs(text["x"] - field["x"]) < 16


def test_small_letters_and_spaces_around_are_fine(page: TrainerPage) -> None:
    page.probe.fill(" head ")
    page.wait(observed="HEAD@40")
    expect(explanation(page.probe)).to_be_empty()
    assert page.row("Probe") == list("HEAD")
    page.probe.blur()
    expect(page.probe).to_have_value("HEAD")


def test_typing_letter_by_letter_ends_in_the_new_probe(page: TrainerPage) -> None:
    page.probe.click()
    page.page.keyboard.press("ControlOrMeta+a")
    page.page.keyboard.type("edge")
    page.wait(observed="EDGE@40")
    expect(page.probe).to_have_attribute("aria-invalid", "false")


@pytest.mark.parametrize("word", ["HEAD", "ABCD", "EDGE", "FACE"])
def test_a_probe_can_be_picked(page: TrainerPage, word: str) -> None:
    page.probe.fill("AB")
    page.button(word).click()
    page.wait(observed=f"{word}@40")
    expect(page.probe).to_have_value(word)
    expect(explanation(page.probe)).to_be_empty()
    assert page.watch.runtime_requests() == []


@pytest.mark.parametrize("typed", ["-1", "1.5", "seven", "", "4294967296", "1e3"])
def test_a_wrong_seed_is_explained_and_the_run_stays(page: TrainerPage, typed: str) -> None:
    scores = page.scores()
    page.seed.fill(typed)
    page.seed.press("Enter")
    reason = "Seed must be a whole number from 0 to 4,294,967,295. Still showing 0."
    expect(explanation(page.seed)).to_have_text(reason)
    expect(page.seed).to_have_attribute("aria-invalid", "true")
    assert page.scores() == scores
    assert page.watch.runtime_requests() == []
    page.seed.fill("0")
    page.seed.press("Enter")
    expect(explanation(page.seed)).to_be_empty()
    expect(page.seed).to_have_attribute("aria-invalid", "false")
