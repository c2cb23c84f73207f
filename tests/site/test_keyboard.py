"""The whole trainer with nothing but a keyboard."""

from __future__ import annotations

import re

from expected import recording
from playwright.sync_api import Locator, expect
from trainer_page import BOOT_MS, HEADS, Open, TrainerPage

CALM = {"save_data": True, "reduced_motion": "reduce"}


def stops(page: TrainerPage) -> list[Locator]:
    """Where Tab stops, in order: the chosen one of each group of radios, then everything else."""
    picks = [page.button(word) for word in ("FACE", "HEAD", "ABCD", "EDGE")]
    maps = [page.page.get_by_role("img", name=name, exact=True) for name in HEADS]
    return [
        page.radio("Reverse"),
        page.radio("Bidirectional"),
        page.probe,
        *picks,
        page.seed,
        *[page.button(name) for name in ("Reset", "Step", "Train")],
        *page.figure.locator("summary").all(),
        page.button("Keep this run for comparison"),
        *maps,
        page.button("Replay"),
        page.slider,
        page.figure.get_by_role("button", name="Share:"),
    ]


def test_tab_reaches_everything_in_reading_order_and_leaves_again(open_page: Open) -> None:
    page = open_page(**CALM)
    page.wait(observed="FACE@40")
    forwards = stops(page)
    for stop in forwards:
        page.page.keyboard.press("Tab")
        expect(stop).to_be_focused()
    page.page.keyboard.press("Tab")
    assert not page.figure.evaluate("(figure) => figure.contains(document.activeElement)")
    page.page.keyboard.press("Shift+Tab")
    for stop in reversed(forwards):
        expect(stop).to_be_focused()
        page.page.keyboard.press("Shift+Tab")


def test_focus_can_be_seen_everywhere(open_page: Open) -> None:
    page = open_page(**CALM)
    page.wait(observed="FACE@40")
    for stop in stops(page):
        page.page.keyboard.press("Tab")
        # The radios themselves are transparent; the segment beside each carries the outline.
        outlines = stop.evaluate(
            """(element) => [element, element.nextElementSibling].filter((e) => e)
               .map((e) => getComputedStyle(e))
               .map((style) => style.outlineStyle === "none" ? "0px" : style.outlineWidth)"""
        )
        assert any(float(width.removesuffix("px")) >= 1 for width in outlines), stop


def test_controls_answer_to_keys(open_page: Open) -> None:
    page = open_page(**CALM)
    page.wait(observed="FACE@40")
    press = page.page.keyboard.press
    page.radio("Reverse").focus()
    press("ArrowRight")
    expect(page.radio("Copy")).to_be_checked()
    press("ArrowRight")
    expect(page.radio("Sort")).to_be_checked()
    expect(page.radio("Sort")).to_be_focused()
    press("Tab")
    press("ArrowDown")
    expect(page.radio("Causal")).to_be_checked()
    run = recording("sort", "causal")
    expect(page.ce).to_have_text(f"{run['history'][40]['ce']:.3f}")
    page.button("EDGE").focus()
    press("Space")
    page.wait(observed="EDGE@40")
    expect(page.button("EDGE")).to_be_focused()
    page.slider.focus()
    for key, epoch in [
        ("ArrowLeft", 39),
        ("ArrowDown", 38),
        ("ArrowRight", 39),
        ("Home", 0),
        ("ArrowUp", 1),
        ("End", 40),
    ]:
        press(key)
        page.wait(observed=f"EDGE@{epoch}")
        expect(page.ce).to_have_text(f"{run['history'][epoch]['ce']:.3f}")
        assert page.epoch() == epoch


def test_the_maps_tell_each_cell(open_page: Open) -> None:
    page = open_page("#mask=causal&epoch=6", **CALM)
    page.wait(observed="FACE@6")
    told = page.figure.locator(".cell")
    press = page.page.keyboard.press
    for name, rows in zip(HEADS, page.maps(), strict=True):
        page.page.get_by_role("img", name=name, exact=True).focus()
        press("ArrowLeft")  # at the edge it stays
        for query, row in enumerate(rows):
            for key, value in enumerate(row):
                at = f"{name}: query {'FACE'[query]} (position {query})"
                to = f"key {'FACE'[key]} (position {key})"
                weight = f"{at} gives {to} a weight of {value:.3f}." if value is not None else ""
                expect(told).to_have_text(weight or f"{at} is not allowed to look at {to}.")
                press("ArrowRight")
            for _ in row:
                press("ArrowLeft")
            press("ArrowDown")
        for _ in rows:
            press("ArrowUp")
        expect(told).to_contain_text(f"{name}: query F (position 0) gives key F (position 0)")
        assert told.get_attribute("aria-live") == "polite"
    page.button("Reset").focus()
    expect(told).to_be_empty()


def test_training_by_keyboard(open_page: Open) -> None:
    page = open_page(**CALM)
    page.wait(observed="FACE@40")
    press = page.page.keyboard.press
    button = page.button("Train")
    button.focus()
    handle = button.element_handle()
    press("Enter")
    page.wait_live()
    page.wait(source="live", training=True, timeout=BOOT_MS)
    expect(page.button("Pause")).to_be_focused()  # one button with two names: focus has not moved
    press("Space")
    page.wait(training=False)
    expect(page.button("Train")).to_be_focused()
    assert handle.evaluate("(element) => element === document.activeElement")
    reached = page.trained()
    press("Shift+Tab")
    expect(page.button("Step")).to_be_focused()
    press("Enter")
    page.wait(training=False, trained=reached + 1)
    expect(page.button("Step")).to_be_focused()
    press("Shift+Tab")
    press("Space")
    page.wait(training=False, trained=0, observed="FACE@0")
    page.seed.focus()
    press("ControlOrMeta+a")
    page.page.keyboard.type("12")
    press("Enter")
    page.page.wait_for_url(re.compile("seed=12"))
    page.wait(source="live", trained=0, observed="FACE@0")
