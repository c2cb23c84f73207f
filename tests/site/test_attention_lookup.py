"""<attention-lookup>: the token that is chosen looks things up as the package says."""

from __future__ import annotations

import pytest
from figure_page import FigurePage, open_figure
from playwright.sync_api import expect
from trainer_page import Open

TOKENS = ["the", "cat", "sat", "it"]


def numbers(figure: FigurePage) -> list[list[float]]:
    """Score, scaled score and weight of every key."""
    rows = figure.figure.locator("tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.querySelectorAll('td')].slice(0, 3).map((cell) => cell.textContent))"
    )
    return [[float(text.replace("−", "-")) for text in row] for row in rows]


@pytest.mark.parametrize("live", [False, True], ids=["recorded", "live"])
def test_every_token_looks_up_what_the_package_says(open_page: Open, live: bool) -> None:
    figure = open_figure(open_page, "attention-lookup", save_data=not live)
    if live:
        figure.go_live()
    for token, name in enumerate(TOKENS):
        figure.figure.get_by_role("radio", name=name, exact=True).check()
        answer = figure.wait_for("lookup", {"token": token})
        expected = zip(answer["scores"], answer["scaled"], answer["weights"], strict=True)
        for shown, row in zip(numbers(figure), expected, strict=True):
            assert shown == pytest.approx(row, abs=0.0051)
        expect(figure.part("query")).to_contain_text(name)
    assert bool(figure.watch.runtime_requests()) == live
