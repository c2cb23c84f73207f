"""<softmax-jacobian>: scores that are dragged, their scale, and the Jacobian that vanishes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from figure_page import FigurePage, open_figure
from playwright.sync_api import Locator, Route, expect
from trainer_page import Open

FIRST = [2, 1, 0, -1]


def score(figure: FigurePage, number: int) -> Locator:
    return figure.figure.get_by_role("slider", name=f"Score {number}")


def scale(figure: FigurePage) -> Locator:
    return figure.figure.get_by_role("slider", name="Scale")


def number(text: str) -> float:
    """A number as the figure writes it: −0.153, or 2.3 × 10⁻⁷."""
    text = text.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")).replace(" × 10", "e")
    return float(text)


def check(figure: FigurePage, scores: list[float], at_scale: float) -> dict[str, Any]:
    """Wait for the answer, and compare what is on screen with the package."""
    answer: dict[str, Any] = figure.wait_for("jacobian_picture", {"scores": scores, "scale": at_scale})
    at = answer["at"]
    expect(figure.part("scale")).to_have_text(f"{at_scale:g}")
    assert [number(figure.part(f"value-{j}").inner_text()) for j in range(4)] == pytest.approx(scores)
    shown = [number(figure.part(f"p-{j}").inner_text()) for j in range(4)]
    assert shown == pytest.approx(at["probabilities"], abs=0.00051)
    entries = [number(text) for text in figure.part("jacobian").locator("td").all_inner_texts()]
    assert entries == pytest.approx([entry for row in at["jacobian"] for entry in row], abs=0.00051)
    for name in ("frobenius", "spectral"):
        assert number(figure.part(name).inner_text()) == pytest.approx(at[name], rel=0.05)
    tints = (
        figure.part("jacobian")
        .locator("rect")
        .evaluate_all("(r) => r.map((x) => Number(x.getAttribute('fill-opacity')))")
    )
    assert tints == pytest.approx([abs(entry) * 4 for row in at["jacobian"] for entry in row], abs=0.001)
    return answer


def test_recorded_scales_make_the_jacobian_vanish(open_article: Open) -> None:
    figure = open_figure(open_article, "softmax-jacobian")
    norms = []
    for stop, at_scale in ((4, 2), (8, 4), (16, 16), (20, 32)):
        scale(figure).fill(str(stop))
        norms.append(check(figure, FIRST, at_scale)["at"]["frobenius"])
    assert norms == sorted(norms, reverse=True) and norms[-1] < 1e-13
    expect(figure.part("line")).to_contain_text(
        "At scale 32, the largest P is 1.000 and the others sum to 1.3 × 10⁻¹⁴."
    )
    scale(figure).press("ArrowLeft")
    check(figure, FIRST, 26.9)
    scale(figure).press("Home")
    check(figure, FIRST, 0.25)
    assert figure.watch.runtime_requests() == []


def test_a_dragged_score_starts_the_engine(open_article: Open) -> None:
    figure = open_figure(open_article, "softmax-jacobian")
    held: list[Route] = []
    figure.page.route("**/worker-*", lambda route: held.append(route))  # the engine comes when it is let through
    before = figure.figure.bounding_box()
    bar = score(figure, 4)
    box = bar.bounding_box()
    assert box and before
    middle = box["y"] + box["height"] / 2
    mouse = figure.page.mouse
    mouse.move(box["x"] + box["width"] * 0.38, middle)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.7, middle, steps=4)
    mouse.move(box["x"] + box["width"] + 90, middle + 60, steps=4)  # beyond the bar: the drag goes on
    expect(figure.part("value-3")).to_have_text("4.0")
    mouse.up()
    # Until then, the numbers are about other scores than those on screen: dimmed, and said.
    expect(figure.figure).to_have_attribute("data-apart", "")
    expect(figure.figure.locator(".source")).to_contain_text("The nearest numbers")
    assert number(figure.part("p-0").inner_text()) > number(figure.part("p-3").inner_text())
    held[0].continue_()
    check(figure, [2, 1, 0, 4], 1)
    expect(figure.figure).to_have_attribute("data-source", "live")
    assert figure.figure.get_attribute("data-apart") is None
    after = figure.figure.bounding_box()
    assert after and (before["width"], before["height"]) == (after["width"], after["height"])

    score(figure, 1).focus()
    for key, value in (("ArrowLeft", 1.9), ("ArrowDown", 1.8), ("ArrowRight", 1.9), ("Home", -4), ("End", 4)):
        score(figure, 1).press(key)
        check(figure, [value, 1, 0, 4], 1)
    # Two largest scores share: the norm stays near its bound however large the scale.
    scale(figure).press("End")
    answer = check(figure, [4, 1, 0, 4], 32)
    assert answer["at"]["spectral"] == pytest.approx(0.5)
    # Far below the last decade of the curve, the mark has no dot.
    score(figure, 1).press("Home")
    check(figure, [-4, 1, 0, 4], 32)
    expect(figure.part("curve").locator("circle")).to_have_count(0)
    assert re.search(r"10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]{2}", figure.part("frobenius").inner_text())


def test_a_narrow_screen(open_article: Open) -> None:
    figure = open_figure(open_article, "softmax-jacobian", viewport={"width": 320, "height": 640})
    heights = set()
    for stop, at_scale in ((0, 1), (15, 13.5), (20, 32)):
        scale(figure).fill(str(stop))
        check(figure, FIRST, at_scale)
        heights.add(figure.figure.evaluate("(figure) => figure.offsetHeight"))
    assert len(heights) == 1  # numbers come and go, nothing moves
    assert figure.page.evaluate("document.documentElement.scrollWidth") == 320
    for slider in figure.figure.get_by_role("slider").all():
        box = slider.bounding_box()
        assert box and box["height"] >= 24
