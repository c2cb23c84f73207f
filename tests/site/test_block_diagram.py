"""<block-diagram>: a picture without a script, which any page can hold."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from trainer_page import Open, config

PLACE = """async (url) => {
  const { html } = await (await fetch(url)).json();
  const figure = document.createElement("figure");
  figure.className = "figure";
  figure.innerHTML = `<block-diagram>${html}</block-diagram>`;
  document.querySelector("main").prepend(figure);
}"""


@pytest.mark.parametrize("width", [320, 1280])
def test_the_drawings_fit_and_have_names(open_article: Open, width: int) -> None:
    page = open_article(save_data=True, viewport={"width": width, "height": 800}).page
    diagram = page.locator("block-diagram")
    if not diagram.count():
        page.evaluate(PLACE, config(page)["figures"]["block-diagram"])
    expect(diagram.locator(".source")).to_have_count(0)
    drawings = [diagram.get_by_role("img", name=name) for name in ("Pre-norm", "Post-norm")]
    for drawing in drawings:
        expect(drawing).to_have_count(1)
        expect(drawing.get_by_text("RMSNorm", exact=True)).to_have_count(2)
    first, second = (drawing.bounding_box() for drawing in drawings)
    assert first is not None and second is not None
    assert first["width"] == second["width"] >= 230  # full size, so that 13 px stay 13 px
    beside = second["x"] > first["x"]
    assert beside == (width == 1280)
    assert page.evaluate("document.documentElement.scrollWidth") == width
