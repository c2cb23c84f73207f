"""<layer-flops>: the numbers of a layer are the package's, for every control."""

from __future__ import annotations

import re
from typing import Any

import pytest
from figure_page import FigurePage, open_figure
from playwright.sync_api import expect
from trainer_page import Open

from microtransformer import theory

PRODUCTS = ["qkv", "output", "feedforward", "scores", "values"]
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def flops(text: str) -> float:
    """4.12×10¹¹ as a number."""
    digits, exponent = text.split("×10")
    return float(digits) * 10.0 ** int(exponent.translate(SUPERSCRIPTS))


def percent(figure: FigurePage, part: str) -> float:
    return float(figure.part(part).inner_text().removesuffix("%")) / 100


def ask(figure: FigurePage, T: int, causal_half: bool = False, **layer: Any) -> Any:
    """Until the figure shows that layer; checks every number, and gives the package's answer."""
    answer = figure.wait_for("flops_picture", {"T": T, **layer, "causal_half": causal_half})
    for name in PRODUCTS:
        assert flops(figure.part(f"{name}-flops").inner_text()) == pytest.approx(answer["layer"][name], rel=0.006)
        assert percent(figure, f"{name}-share") == pytest.approx(answer["shares"][name], abs=0.00051)
    assert flops(figure.part("total").inner_text()) == pytest.approx(answer["layer"]["total"], rel=0.006)
    for part in ("linear", "quadratic"):
        assert percent(figure, f"{part}-share") == pytest.approx(answer["layer"][f"{part}_share"], abs=0.00051)
    crossover = f"{answer['crossover']:,.0f}"
    expect(figure.figure.locator("text.crossing")).to_contain_text(crossover)
    expect(figure.part("sentence")).to_contain_text(f"Beyond T = {crossover},")
    expect(figure.figure.locator("text.now")).to_have_text(f"T = {T:,} tokens")
    return answer


def formulas(figure: FigurePage) -> list[str]:
    """The TeX of the formulas that are to be seen."""
    visible = figure.figure.locator(".formula span:not([data-off]) math")
    return [re.sub(r"\s", "", math.get_attribute("alttext") or "") for math in visible.all()]


def test_recorded_numbers_are_the_packages(open_article: Open) -> None:
    figure = open_figure(open_article, "layer-flops")
    select, width, tokens = (
        figure.figure.locator("select"),
        figure.figure.get_by_role("slider", name="Width"),
        figure.figure.get_by_role("slider", name="Tokens"),
    )
    half = figure.figure.get_by_role("checkbox")
    assert formulas(figure) == ["6Td^2", "2Td^2", "16Td^2", "2T^2d", "2T^2d"]
    half.check()
    ask(figure, 4096, causal_half=True, d=4096)
    assert formulas(figure) == ["6Td^2", "2Td^2", "16Td^2", "T^2d", "T^2d"]
    expect(figure.figure.locator("text.crossing")).to_have_text("T = 12d = 49,152")
    half.uncheck()
    ask(figure, 4096, d=4096)
    expect(figure.figure.locator("text.crossing")).to_have_text("T = 6d = 24,576")

    # Every preset, at the tokens that it was trained with.
    keys = select.locator("option").evaluate_all("(options) => options.map((option) => option.value)")
    assert keys == ["", *theory.PRESETS]
    for key, preset in theory.PRESETS.items():
        select.select_option(key)
        found = figure.wait_for("flops_picture", {"T": preset["context"], "key": key, "causal_half": False})
        assert found["preset"] == preset
        expect(width).to_have_attribute("aria-valuetext", f"{preset['d']:,}")
        expect(figure.part("of")).to_contain_text(preset["name"])
        expect(figure.part("source")).to_contain_text(preset["source"])
    assert formulas(figure) == ["2Td(d+2d_{kv})", "2Td^2", "6Tdf", "2T^2d", "2T^2d"]
    expect(figure.figure.locator("text.crossing")).to_contain_text("26,624")

    # By keyboard: another width is no longer that model; two stops are a factor of two.
    width.press("ArrowRight")
    expect(select).to_have_value("")
    width.press("ArrowLeft")
    ask(figure, 8192, d=4096)
    tokens.press("ArrowRight")
    expect(tokens).to_have_attribute("aria-valuetext", "12,288")
    tokens.press("ArrowRight")
    ask(figure, 16384, d=4096)


def test_the_engine_answers_every_stop_and_nothing_moves(open_article: Open) -> None:
    figure = open_figure(open_article, "layer-flops", save_data=False)
    before = figure.sizes()
    figure.go_live()
    figure.has_not_moved(before)
    figure.figure.get_by_role("slider", name="Tokens").fill("26")
    ask(figure, 2**20, d=4096)
    figure.figure.get_by_role("slider", name="Width").fill("0")
    ask(figure, 2**20, d=256)
    figure.figure.get_by_role("slider", name="Tokens").fill("7")  # the crossover itself
    ask(figure, 1536, d=256)
    expect(figure.part("sentence")).to_contain_text("both take half")
    figure.figure.get_by_role("checkbox").check()
    ask(figure, 1536, causal_half=True, d=256)
    figure.has_not_moved(before)


def test_a_stop_without_a_recorded_answer_shows_the_nearest_until_the_engine_answers(open_article: Open) -> None:
    held: list[Any] = []
    holding = True
    figure = open_figure(
        open_article,
        "layer-flops",
        prepare=lambda page: page.page.route(
            "**/pyodide/**", lambda route: held.append(route) if holding else route.continue_()
        ),
    )
    figure.figure.get_by_role("slider", name="Tokens").fill("11")  # 6,144
    expect(figure.figure.locator(".source")).to_contain_text("The nearest numbers")
    name, asked = figure.answered()
    assert (name, asked["d"]) == ("flops_picture", 4096) and asked["T"] in (4096, 8192)
    expect(figure.figure.locator("text.now")).to_have_text(f"T = {asked['T']:,} tokens")
    holding = False
    for route in held:
        route.continue_()
    ask(figure, 6144, d=4096)


@pytest.mark.parametrize("width", [320, 390])
def test_it_fits_a_phone(open_article: Open, width: int) -> None:
    figure = open_figure(open_article, "layer-flops", viewport={"width": width, "height": 800})
    figure.fits(width)
