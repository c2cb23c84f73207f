"""<causal-mask>: weights under either mask as the package says, and what a changed token moves."""

from __future__ import annotations

from typing import Any

import pytest
from expected import native_run
from figure_page import FigurePage, open_figure
from playwright.sync_api import expect
from trainer_page import Open

from microtransformer import questions

SCORES = [[1, 3, 2, 0], [2, 1, 3, 1], [0, 2, 1, 3], [1, 0, 2, 1]]
MASKS = ["causal", "bidirectional"]


def cells(figure: FigurePage, part: str) -> list[list[str]]:
    """The texts of a matrix, row by row."""
    texts: list[list[str]] = (
        figure.part(part)
        .locator("tr")
        .evaluate_all("(rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))")
    )
    return texts


def value(text: str) -> float | None:
    return None if text == "−∞" else float(text.replace("−", "-"))


def check(figure: FigurePage, answer: dict[str, Any]) -> None:
    """The matrices are the answer; a weight is written 0, without a point, exactly where it is 0."""
    for part, name in (("mask", "mask"), ("masked", "scores")):
        assert [[value(text) for text in row] for row in cells(figure, part)] == answer[name]
    for shown, row, total in zip(cells(figure, "weights"), answer["weights"], answer["sums"], strict=True):
        assert [float(text) for text in shown] == pytest.approx([*row, total], abs=0.00051)
        assert [text == "0" for text in shown[:-1]] == [weight == 0 for weight in row]
        assert shown[-1] == "1.000"
    zeros = sum(weight == 0 for row in answer["weights"] for weight in row)
    hatched = figure.part("weights").locator(".hatched")
    expect(hatched).to_have_count(zeros)
    expect(figure.part("words")).to_contain_text(f"{zeros} of 16" if zeros else "above 0")


def choose(figure: FigurePage, mask: str) -> None:
    figure.figure.get_by_role("radio", name=mask.capitalize()).check()


@pytest.mark.parametrize("live", [False, True], ids=["recorded", "live"])
def test_scores_become_weights_as_the_package_says(open_article: Open, live: bool) -> None:
    figure = open_figure(open_article, "causal-mask", save_data=not live)
    before = figure.sizes()
    if live:
        figure.go_live()
    future = [[9 if j > i else score for j, score in enumerate(row)] for i, row in enumerate(SCORES)]
    presets = {"Future 9": future, "All 0": [[0] * 4] * 4, "Example": SCORES}
    for mask in reversed(MASKS):
        choose(figure, mask)
        for name, scores in presets.items():
            figure.figure.get_by_role("button", name=name).click()
            check(figure, figure.wait_for("masked_softmax", {"scores": scores, "mask": mask}))
            figure.has_not_moved(before)
    assert bool(figure.watch.runtime_requests()) == live


def test_scores_are_edited(open_article: Open) -> None:
    figure = open_figure(open_article, "causal-mask")
    past, future = (figure.figure.get_by_label(f"Score of query {i} for key {j}") for i, j in ((2, 0), (0, 3)))
    scores = [list(row) for row in SCORES]
    past.fill("")  # no number yet: nothing is asked
    past.fill("-2.5")
    scores[2][0] = -2.5  # type: ignore[call-overload]
    check(figure, figure.wait_for("masked_softmax", {"scores": scores, "mask": "causal"}))
    assert figure.figure.get_attribute("data-source") == "live"  # recorded nowhere: it has started the engine
    weights = cells(figure, "weights")
    future.fill("8.5")
    future.press("ArrowUp")
    scores[0][3] = 9
    check(figure, figure.wait_for("masked_softmax", {"scores": scores, "mask": "causal"}))
    assert cells(figure, "weights") == weights  # the mask forbids what has changed
    past.fill("99")  # too large: what was asked last stands
    past.press("Tab")
    expect(past).to_have_value("-2.5")


def test_a_changed_token_moves_what_may_see_it(open_article: Open) -> None:
    figure = open_figure(open_article, "causal-mask")
    run = native_run("reverse", "bidirectional")
    before = figure.sizes()
    for mask in MASKS:
        choose(figure, mask)
        arguments = [{"probe": "FACE", "position": j, "mask": mask} for j in range(4)]
        answers = [questions.answer_about(run, run.epoch, "change_token", asked) for asked in arguments]
        expect(figure.part("changes").locator(".hatched")).to_have_count(6 if mask == "causal" else 0)
        for i, shown in enumerate(cells(figure, "changes")):
            assert [float(text) for text in shown[:4]] == pytest.approx([a["change"][i] for a in answers], abs=0.00501)
            assert [text == "0" for text in shown[:4]] == [not a["visible"][i] for a in answers]
        for j, answer in enumerate(answers):
            figure.figure.get_by_role("radio", name=f"Change {'FACE'[j]} at position {j}").check()
            moves = figure.part("moves")
            expect(moves).to_contain_text(f"Replace “{'FACE'[j]}” at position {j}")
            expect(moves).to_contain_text(f"by up to {max(answer['change']):.2f}.")
            expect(figure.part("changes").locator(".still")).to_have_count(j if mask == "causal" else 0)
            figure.has_not_moved(before)
    # The arrow keys choose too.
    figure.figure.get_by_role("radio", name="Change E at position 3").press("ArrowLeft")
    expect(figure.part("moves")).to_contain_text("“C” at position 2")
    assert figure.watch.runtime_requests() == []


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_it_fits_every_screen(open_article: Open, width: int) -> None:
    figure = open_figure(open_article, "causal-mask", viewport={"width": width, "height": 700})
    for mask in reversed(MASKS):
        choose(figure, mask)
        figure.wait_for("masked_softmax", {"scores": SCORES, "mask": mask})
    figure.figure.get_by_label("Score of query 0 for key 0").fill("-2.5")
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= width
    assert figure.clipped() == []
