"""<head-spread>: the scores of the run on screen, head by head."""

from __future__ import annotations

import pytest
from expected import native_run
from figure_page import FigurePage, open_figure
from playwright.sync_api import expect
from trainer_page import Open

from microtransformer import questions

TAG = "head-spread"


def check(figure: FigurePage, epoch: int, within: float) -> None:
    """The table has what the package measures in the default run at an epoch, and the sentence its extremes."""
    heads = questions.answer_about(native_run("reverse", "bidirectional"), epoch, "score_spread_of_run", {})
    expect(figure.part("run")).to_have_text(f"reverse, bidirectional mask, seed 0; epoch {epoch}")
    rows = figure.figure.locator("tbody tr").all()
    assert len(rows) == len(heads) == 4
    for row, head in zip(rows, heads, strict=True):
        expect(row.locator("th")).to_have_text(f"Layer {head['layer'] + 1}, head {head['head'] + 1}")
        shown = [float(text) for text in row.locator("td").all_inner_texts()[:5]]
        wanted = [head[name] for name in ("q_size", "k_size", "predicted", "if_independent", "std")]
        assert shown == pytest.approx(wanted, abs=within)
    ratios = [float(row.locator("td").nth(4).inner_text()) / 4 for row in rows]
    low, high = (
        float(text) for text in figure.part("why").inner_text().split(" times the prediction")[0].split()[-3::2]
    )
    assert [low, high] == pytest.approx([min(ratios), max(ratios)], abs=0.006)


def test_the_recorded_run_and_a_small_phone(open_article: Open) -> None:
    figure = open_figure(open_article, TAG, viewport={"width": 320, "height": 640})
    check(figure, 40, within=0.0051)
    assert figure.page.evaluate("document.documentElement.scrollWidth") == 320
    assert figure.clipped() == []
    assert figure.watch.runtime_requests() == []


def test_the_table_follows_the_epoch_on_screen(open_article: Open) -> None:
    page = open_article(reduced_motion="reduce")
    page.wait(observed="FACE@40")
    figure = FigurePage(page, TAG)
    figure.go_live()
    before = figure.figure.bounding_box()
    page.scrub(3)
    figure.figure.scroll_into_view_if_needed()
    expect(figure.part("run")).to_contain_text("epoch 3")
    check(figure, 3, within=0.05)
    after = figure.figure.bounding_box()
    assert before and after and (before["width"], before["height"]) == (after["width"], after["height"])
    # Out of sight it does not, but on paper it does.
    page.slider.scroll_into_view_if_needed()
    page.scrub(5)
    run = "document.querySelector('head-spread [data-part=run]').textContent"
    page.page.evaluate(f"globalThis.print = () => (document.body.dataset.printed = {run}); 0")
    page.button("Print a handout").click()
    printed = "reverse, bidirectional mask, seed 0; epoch 5"
    expect(page.page.locator("body")).to_have_attribute("data-printed", printed)
