"""<attention-lookup>: the token that is chosen looks things up as the package says, with its own query or another."""

from __future__ import annotations

from typing import Any

import pytest
from figure_page import FigurePage, open_figure
from playwright.sync_api import Locator, expect
from trainer_page import Open

TOKENS = ["the", "cat", "sat", "it"]
STAGES = ["Scores", "Scaled", "Weights", "Sum"]


def columns(figure: FigurePage) -> list[list[float]]:
    """Score, scaled score, exponential, weight and the two weighted values of every key."""
    rows = (
        figure.part("stages")
        .locator("tr")
        .evaluate_all(
            """(rows) => rows.map((row) => {
          const cells = [...row.querySelectorAll("td")];
          const last = (cell) => (cell.querySelector("b") ?? cell).textContent;
          return [...cells.slice(0, 4).map(last), ...[...cells[4].querySelectorAll(".tint")].map(last)];
        })"""
        )
    )
    return [[float(text.replace("−", "-")) for text in row] for row in rows]


def check(figure: FigurePage, answer: dict[str, Any]) -> None:
    """All that is shown is the answer, to its rounding."""
    names = ["scores", "scaled", "exponentials", "weights"]
    for j, shown in enumerate(columns(figure)):
        assert shown == pytest.approx([*(answer[name][j] for name in names), *answer["weighted"][j]], abs=0.0051)
    output = figure.part("output").locator(".tint").all_inner_texts()
    assert [float(text.replace("−", "-")) for text in output] == pytest.approx(answer["output"], abs=0.0051)
    assert float(figure.part("total").inner_text()) == pytest.approx(answer["total"], abs=0.0051)
    expect(figure.part("words")).to_contain_text(f"“{answer['tokens'][answer['token']]}”")


def boxes(figure: FigurePage) -> tuple[Locator, Locator]:
    first, second = (figure.figure.get_by_label(f"{name} number of the query") for name in ("First", "Second"))
    return first, second


@pytest.mark.parametrize("live", [False, True], ids=["recorded", "live"])
def test_every_token_looks_up_what_the_package_says(open_article: Open, live: bool) -> None:
    figure = open_figure(open_article, "attention-lookup", save_data=not live)
    before = figure.sizes()
    if live:
        figure.go_live()
    for token, name in enumerate(TOKENS):
        figure.figure.get_by_role("radio", name=name, exact=True).check()
        check(figure, figure.wait_for("lookup", {"token": token}))
        figure.has_not_moved(before)
    expect(figure.part("stages").locator("tr").nth(1)).to_contain_text("3·2 + 1·0 = 6")
    assert bool(figure.watch.runtime_requests()) == live


def test_another_query_is_asked_from_the_boxes(open_article: Open) -> None:
    figure = open_figure(open_article, "attention-lookup")
    first, second = boxes(figure)
    first.fill("-1")
    second.fill("-2")
    check(figure, figure.wait_for("lookup", {"token": 3, "query": [-1, -2]}))
    expect(figure.part("stages").locator("tr").nth(2)).to_contain_text("−1·0 + (−2)·2 = −4")
    second.fill("")  # no number: what was asked last stands
    second.press("Tab")
    expect(second).to_have_value("-2")
    assert figure.answered() == ("lookup", {"token": 3, "query": [-1, -2]})
    assert figure.watch.runtime_requests() == []
    # Half a step is recorded nowhere: the nearest is shown until the engine, which this starts, has answered.
    second.press("ArrowUp")
    expect(second).to_have_value("-1.5")
    check(figure, figure.wait_for("lookup", {"token": 3, "query": [-1, -1.5]}))
    assert figure.figure.get_attribute("data-source") == "live"
    figure.figure.get_by_role("button", name="Restore").click()
    check(figure, figure.wait_for("lookup", {"token": 3}))
    expect(first).to_have_value("3")


def test_the_arrow_is_dragged_and_stages_build_up(open_article: Open) -> None:
    figure = open_figure(open_article, "attention-lookup")
    handle = figure.figure.locator(".handle").bounding_box()
    plane = figure.figure.locator("[data-part=keys] svg").bounding_box()
    assert handle and plane
    unit = plane["width"] / 7.6
    centre = (plane["x"] + plane["width"] / 2, plane["y"] + plane["height"] / 2)
    mouse = figure.page.mouse
    mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    mouse.down()
    mouse.move(centre[0] - unit, centre[1] - 2 * unit)
    check(figure, figure.wait_for("lookup", {"token": 3, "query": [-1, 2]}))
    mouse.move(plane["x"] + 2000, centre[1])  # outside: as far as the plane reaches
    mouse.up()
    mouse.move(*centre)  # the arrow has been let go
    check(figure, figure.wait_for("lookup", {"token": 3, "query": [3, 0]}))
    for box, value in zip(boxes(figure), "30", strict=True):
        expect(box).to_have_value(value)
    parts = {2: figure.part("stages").locator("b").nth(1), 3: figure.part("words"), 4: figure.part("output")}
    before = figure.sizes()
    for stage, name in enumerate(STAGES, 1):
        figure.figure.get_by_role("radio", name=name).check()
        for first, part in parts.items():
            expect(part).to_be_visible(visible=first <= stage)
        figure.has_not_moved(before)


def test_it_fits_a_small_phone(open_article: Open) -> None:
    figure = open_figure(open_article, "attention-lookup", viewport={"width": 320, "height": 700})
    before = figure.sizes()
    for box in boxes(figure):
        box.fill("-2.5")  # the longest numbers
    figure.wait_for("lookup", {"token": 3, "query": [-2.5, -2.5]})
    figure.has_not_moved(before)
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert figure.clipped() == []
