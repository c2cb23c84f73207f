"""<gradient-depth>: the curves and factors are the package's; what overflows is told in words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from figure_page import FigurePage, open_figure
from playwright.sync_api import expect
from trainer_page import Open

NORMS = {"post": "post-norm", "pre": "pre-norm", "none": "no norm"}


def factors(figure: FigurePage, norm: str) -> list[str]:
    row = figure.figure.get_by_role("row", name=NORMS[norm])
    return row.get_by_role("cell").all_inner_texts()


def check(figure: FigurePage, n_layers: int, d_model: int = 32, scaled: bool = False) -> Any:
    """Until the figure shows that model; checks every number, and gives the package's answer."""
    arguments = {"n_layers": n_layers, "d_model": d_model, "scale_residual": scaled}
    answer = figure.wait_for("gradient_picture", arguments)
    for norm in NORMS:
        course = answer[norm]
        path = figure.figure.locator(f"path.{norm}")
        if course["growth"] is None:
            expect(path).to_have_count(0)
            words = f"overflows in layer {course['overflow']} of {n_layers}" if course["overflow"] else "overflows"
            assert words in factors(figure, norm)[0]
            continue
        expected = [course[name] for name in ("growth", "factor", "first_half", "last_half")]
        shown = [number(text) for text in factors(figure, norm)]
        assert [value is None for value in shown] == [value is None for value in expected]
        pairs = zip(shown, expected, strict=True)
        assert all(a == pytest.approx(b, rel=0.006) for a, b in pairs if a is not None)
        heights = [float(y) for y in re.findall(r"[ML]\S+ ([^ML]+)", path.get_attribute("d") or "")]
        assert len(heights) == n_layers + 1
        # Seven decades, from 10^-4 to 10^3, over a height of 100.
        sizes = [10 ** (3 - 7 * y / 100) for y in heights]
        assert sizes == pytest.approx(course["stream"], rel=2e-3)
    return answer


def number(text: str) -> float | None:
    """×2,780 or ×1.20×10⁶¹ as a number; – as None."""
    if text == "–":
        return None
    digits, _, exponent = text.removeprefix("×").partition("×10")
    superscripts = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    return float(digits.replace(",", "")) * 10.0 ** int(exponent.translate(superscripts) or 0)


def test_recorded_depths_are_the_packages(open_article: Open) -> None:
    figure = open_figure(open_article, "gradient-depth")
    depth = figure.figure.get_by_role("slider", name="Layers")
    scaled = figure.figure.get_by_role("checkbox")
    scaled.check()
    answer = check(figure, 64, scaled=True)
    assert answer["none"]["growth"] is not None
    scaled.uncheck()
    answer = check(figure, 64)
    assert answer["none"]["growth"] is None and answer["post"]["growth"] > 10 * answer["pre"]["growth"]
    expect(figure.part("sentence")).to_contain_text(f"overflows in layer {answer['none']['overflow']} of 64")
    for layers in (8, 4):
        depth.fill(str(layers))
        check(figure, layers)
    assert not figure.watch.runtime_requests()


def test_the_engine_computes_other_models_and_nothing_moves(open_article: Open) -> None:
    figure = open_figure(open_article, "gradient-depth", save_data=False)
    before = figure.sizes()
    depth = figure.figure.get_by_role("slider", name="Layers")
    figure.figure.hover()
    expect(figure.figure).to_have_attribute("data-engine", "live", timeout=90_000)
    # The recorded answer stays: asking again would keep the engine from other figures.
    expect(figure.figure).to_have_attribute("data-source", "recorded")
    depth.press("Home")
    expect(figure.figure.locator("output")).to_have_text("1")
    check(figure, 1)
    expect(figure.figure).to_have_attribute("data-source", "live")
    figure.figure.get_by_role("radio", name="16").check()
    check(figure, 1, 16)
    # While the slider moves only its number follows.
    answered = figure.answered()
    depth.evaluate("(slider) => { slider.value = 12; slider.dispatchEvent(new Event('input', { bubbles: true })); }")
    expect(figure.figure.locator("output")).to_have_text("12")
    assert figure.answered() == answered
    depth.dispatch_event("change")
    check(figure, 12, 16)
    figure.has_not_moved(before)


@pytest.mark.parametrize("width", [320, 390])
def test_it_fits_a_phone(open_article: Open, width: int) -> None:
    figure = open_figure(open_article, "gradient-depth", viewport={"width": width, "height": 800})
    figure.fits(width)
