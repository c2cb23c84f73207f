"""<score-spread>: random queries and keys of any width."""

from __future__ import annotations

import re
from typing import Any

import pytest
from figure_page import FigurePage, open_figure
from playwright.sync_api import expect
from trainer_page import Open


class Spread:
    """The figure's controls and numbers."""

    def __init__(self, page: FigurePage) -> None:
        self.page = page
        self.figure, self.part, self.wait_for = page.figure, page.part, page.wait_for
        self.slider = self.figure.get_by_role("slider")
        self.field = self.figure.get_by_role("spinbutton", name="Width d_k")

    def check(self, d_k: int, seed: int = 0) -> None:
        """Wait for the answer, and compare what is on screen with the package."""
        answer = self.wait_for("score_spread", {"d_k": d_k, "seed": seed})
        expect(self.part("unscaled-predicted")).to_have_text(f"√{d_k} = {answer['predicted']:.2f}")
        for kind, digits in (("unscaled", 2), ("scaled", 3)):
            assert float(self.part(f"{kind}-std").inner_text()) == pytest.approx(answer[kind]["std"], abs=10**-digits)
            shown = [float(text) for text in re.findall(r"\d\.\d{3}", self.part(f"{kind}-softmax").inner_text())]
            expected = [answer[kind]["max_probability"], answer[kind]["entropy"], answer["uniform_entropy"]]
            assert shown == pytest.approx(expected, abs=0.0011)  # float32, and not everywhere in one order
            bars = (
                self.part(f"{kind}-softmax")
                .locator("rect")
                .evaluate_all("(bars) => bars.map((b) => b.height.baseVal.value)")
            )
            assert [bar / 96 for bar in bars] == pytest.approx(answer[kind]["ranked"], abs=0.002)
            outside = answer[kind]["outside"]
            beyond = self.part(f"{kind}-histogram").get_by_text("beyond")
            expect(beyond).to_have_count(1 if outside else 0)
        expect(self.part("drawn")).to_contain_text(f"{answer['scores']:,} scores")
        expect(self.part("drawn")).to_contain_text(f"seed {seed}.")


def spread(open_article: Open, **options: Any) -> Spread:
    return Spread(open_figure(open_article, "score-spread", **options))


def test_recorded_widths_by_keyboard_and_by_number(open_article: Open) -> None:
    figure = spread(open_article)
    assert figure.part("unscaled-std").inner_text().startswith("11.")
    slider = figure.slider
    slider.focus()
    slider.press("PageDown")
    figure.check(64)
    expect(figure.field).to_have_value("64")
    expect(slider).to_have_attribute("aria-valuetext", "64")
    slider.press("End")
    figure.check(512)
    expect(figure.part("unscaled-histogram")).to_contain_text("% beyond ±40")
    slider.press("Home")
    figure.check(1)
    slider.press("ArrowRight")
    figure.check(2)
    figure.field.fill("16")
    figure.check(16)
    figure.field.fill("0")  # no width: the last one stays, and comes back to the field
    figure.field.blur()
    expect(figure.field).to_have_value("16")
    figure.check(16)
    assert figure.page.watch.runtime_requests() == []


def test_any_other_width_starts_the_engine_and_nothing_jumps(open_article: Open) -> None:
    figure = spread(open_article)
    before = figure.figure.bounding_box()
    figure.field.fill("100")
    figure.check(100)
    expect(figure.figure).to_have_attribute("data-source", "live")
    figure.figure.get_by_role("button", name="Draw again").click()
    figure.check(100, seed=1)
    figure.field.fill("511")
    figure.check(511, seed=1)
    figure.slider.press("ArrowLeft")
    figure.check(510, seed=1)
    figure.slider.fill("4.6")  # 2^4.6 = 24.25, as a pointer leaves it
    figure.check(24, seed=1)
    expect(figure.field).to_have_value("24")
    after = figure.figure.bounding_box()
    assert before and after and (before["width"], before["height"]) == (after["width"], after["height"])


def test_it_fits_a_small_phone(open_article: Open) -> None:
    figure = spread(open_article, viewport={"width": 320, "height": 640})
    assert figure.page.page.evaluate("document.documentElement.scrollWidth") == 320
