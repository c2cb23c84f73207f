"""A figure of the article as tests see it: the question whose answer it shows, and the package's own answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from trainer_page import BOOT_MS, Open, TrainerPage

from microtransformer import questions


class FigurePage:
    """One figure of an open page."""

    def __init__(self, page: TrainerPage, tag: str) -> None:
        self.page = page.page
        self.watch = page.watch
        self.tag = tag
        self.figure: Locator = page.page.locator(tag)
        self.figure.scroll_into_view_if_needed()

    def part(self, name: str) -> Locator:
        return self.figure.locator(f"[data-part={name}]")

    def answered(self) -> tuple[str, dict[str, Any]]:
        """The question whose answer is on screen: its name and its arguments."""
        name, arguments = json.loads(self.figure.get_attribute("data-answered") or "[null, {}]")
        return name, arguments

    def wait_for(self, name: str, arguments: dict[str, Any]) -> Any:
        """Until the answer to this very question is on screen, and the package's answer to it."""
        key = json.dumps([name, arguments], separators=(",", ":"), ensure_ascii=False)
        expect(self.figure).to_have_attribute("data-answered", key, timeout=BOOT_MS)
        return questions.answer(name, arguments)

    def sizes(self) -> list[list[float]]:
        """Left, top, width, height of the figure, its parts and controls, in CSS pixels; top from the figure's."""
        boxes: list[list[float]] = self.figure.evaluate(
            """(figure) => [figure, ...figure.querySelectorAll("[data-part], button, input")].map((part) => {
              if (!part.getClientRects().length) return [0, 0, 0, 0]; // not shown: it has no place
              const { left, top, width, height } = part.getBoundingClientRect();
              return [left, top - figure.getBoundingClientRect().top, width, height];
            })"""
        )
        return boxes

    def has_not_moved(self, before: list[list[float]]) -> None:
        """Everything stands where it stood, and is as large, to within a pixel."""
        for now, then in zip(self.sizes(), before, strict=True):
            assert now == pytest.approx(then, abs=1)

    def fits(self, width: int) -> None:
        """The page is as wide as the screen, and no text of the plot sticks out of the figure."""
        assert self.page.evaluate("document.documentElement.scrollWidth") == width
        edges = self.figure.bounding_box()
        assert edges is not None
        for text in self.figure.locator(".plot text").all():
            box = text.bounding_box()
            assert box is not None and edges["x"] <= box["x"] and box["x"] + box["width"] <= edges["x"] + edges["width"]

    def clipped(self) -> list[str]:
        """Cells and controls that are too small for what is in them, or that stick out of the figure: none should."""
        found: list[str] = self.figure.evaluate(
            """(figure) => [...figure.querySelectorAll("td, th, .tint, .segmented, button, input, svg")]
              .filter((part) => (part.matches("td, th, input") && part.scrollWidth > part.clientWidth + 1)
                || (part.matches(".tint") && part.lastChild.offsetWidth > part.clientWidth)
                || part.getBoundingClientRect().right > figure.getBoundingClientRect().right)
              .map((part) => part.outerHTML)"""
        )
        return found

    def go_live(self) -> None:
        """Have the engine start as a reader does, by coming to the figure, and wait until it answers."""
        self.figure.hover()
        expect(self.figure).to_have_attribute("data-source", "live", timeout=BOOT_MS)


def open_figure(open_article: Open, tag: str, **options: Any) -> FigurePage:
    """The article, with data saved by default: only what a figure needs starts the engine."""
    return FigurePage(open_article(**({"save_data": True, "reduced_motion": "reduce"} | options)), tag)
