"""Pictures: SVG that stands alone and says what the figure says, and the same in pixels."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, expect
from trainer_page import Open, TrainerPage

from web.build.project import WEB

SVG = "{http://www.w3.org/2000/svg}"
TITLES = {
    "attention-lookup": "Attention as a lookup",
    "shape-table": "The tensors of one layer",
    "score-spread": "Spread of the scores, and what softmax makes of them",
    "head-spread": "Spread of a trained model’s scores, head by head",
    "softmax-jacobian": "Softmax and its Jacobian",
    "causal-mask": "What a causal mask does",
    "layer-flops": "Operations of one layer",
    "block-diagram": "One block, pre-norm and post-norm",
    "gradient-depth": "Size of the gradient, layer by layer",
}
PLAIN = {
    "svg",
    "title",
    "desc",
    "defs",
    "clipPath",
    "g",
    "rect",
    "line",
    "circle",
    "path",
    "polygon",
    "polyline",
    "text",
}
SERIF = "Times New Roman, Times, serif"
HATCH = "#b9b9b4"


def save(page: TrainerPage, figure: Locator, kind: str) -> tuple[str, bytes]:
    """Name and content of the file that a figure's tool gives."""
    if not figure.locator(".panel").is_visible():
        figure.locator(".share").click()
    with page.page.expect_download() as download:
        figure.get_by_role("button", name=f"Save picture as {kind}").click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def parsed(svg: bytes) -> ElementTree.Element:
    """The picture; it uses nothing that another program might not have, and nothing from elsewhere."""
    root = ElementTree.fromstring(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= PLAIN
    for element in root.iter():
        assert not {"style", "class", "href"} & set(element.attrib)
        assert not re.search(r"%|var\(|color|NaN|undefined|null|://", " ".join(element.attrib.values()))
        assert not re.search("[⋅\U0001d400-\U0001d7ff]", element.text or ""), "a sign that few fonts have"
    families = {element.get("font-family") for element in root.iter()}
    assert families <= {None, "sans-serif", SERIF, "monospace"}
    return root


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_every_figure_as_svg(open_article: Open) -> None:
    page = open_article(save_data=True, reduced_motion="reduce", color_scheme="dark")
    page.wait(observed="FACE@40")
    page.page.locator("causal-mask").evaluate("(figure) => figure.open({mask: 'bidirectional', change: '0'})")
    expect(page.page.locator("causal-mask [data-part=words]")).to_contain_text("everywhere")
    for tag, title in TITLES.items():
        figure = page.page.locator(tag)
        before = figure.evaluate("(figure) => [figure.className, figure.style.cssText]")
        name, svg = save(page, figure, "SVG")
        assert name == ("causal-mask-maskbidirectional-change0.svg" if tag == "causal-mask" else f"{tag}.svg")
        root = parsed(svg)
        shown = words(root)
        assert root.findtext(f"{SVG}title") == shown[0] == title
        assert "The Transformer · " in shown[-1]
        # Every number that stands in the figure's cells stands in the picture.
        cells = figure.locator(".figure-foot").evaluate(
            """(foot) => [...foot.parentElement.querySelectorAll("td, output, b")]
              .filter((cell) => cell.checkVisibility() && !cell.children.length && /[0-9]/.test(cell.textContent) &&
                parseFloat(getComputedStyle(cell).fontSize) > 3 && !cell.closest(".needs-script, .sliders"))
              .map((cell) => cell.textContent.trim())"""
        )
        assert set(cells) <= set(shown), tag
        # A white ground, whatever the theme of the page; and the page is as it was.
        assert [rect.get("fill") for rect in root.findall(f"{SVG}rect")] == ["#fff"]
        assert figure.evaluate("(figure) => [figure.className, figure.style.cssText]") == before
    figure = page.page.locator("causal-mask")
    figure.get_by_role("radio", name="Causal").check()
    forbidden = figure.locator(".hatched")
    expect(forbidden).to_have_count(6 * 4)
    hatched = [path for path in parsed(save(page, figure, "SVG")[1]).iter(f"{SVG}path") if path.get("stroke") == HATCH]
    assert len(hatched) == forbidden.count() + 1  # and the swatch


def test_the_trainers_pictures_have_its_numbers(open_article: Open) -> None:
    page = open_article("#mask=causal&epoch=12&probe=HEAD", save_data=True, reduced_motion="reduce")
    page.wait(observed="HEAD@12")
    figure = page.figure
    name, svg = save(page, figure, "SVG")
    assert name == "reverse-causal-seed0-epoch12-HEAD-heads.svg"
    root = parsed(svg)
    shown = words(root)
    assert shown[:2] == ["Attention, head by head", "reverse, causal mask, seed 0; epoch 12; probe HEAD"]
    maps = [cell for rows in page.maps() for row in rows for cell in row]
    drawn = [float(text) for text in shown if re.fullmatch(r"\d\.\d\d", text)]
    assert drawn == pytest.approx([cell for cell in maps if cell is not None], abs=0.0051)
    hatched = [path for path in root.iter(f"{SVG}path") if path.get("stroke") == HATCH]
    assert len(hatched) == maps.count(None) + 1  # and one in the legend
    assert shown.count("key (looked at)") == shown.count("query (looks)") == 4
    assert {"attention weight", "not allowed", "0.5", "Layer 2, head 1"} <= set(shown)
    choice = figure.get_by_role("combobox", name="Which picture")
    choice.select_option("Layer 1, head 2")
    assert save(page, figure, "SVG")[0] == "reverse-causal-seed0-epoch12-HEAD-layer1-head2.svg"
    choice.select_option("Token CE loss")
    name, svg = save(page, figure, "SVG")
    assert name == "reverse-causal-seed0-epoch12-loss.svg"
    root = parsed(svg)
    shown = words(root)
    assert {"epoch", "loss in nats per token", "guessing: ln 8", "exact limit 1.040", "held out", "training"} <= set(
        shown
    )
    assert f"held out {page.ce.inner_text()}" in shown
    lines = {line.get("stroke"): line for line in root.iter(f"{SVG}polyline")}
    assert len((lines["#0b5cc4"].get("points") or "").split()) == 41
    heights = sorted(float(text.get("y") or 0) for text in root.iter(f"{SVG}text") if float(text.get("x") or 0) > 580)
    assert all(below - above >= 14.9 for above, below in zip(heights, heights[1:], strict=False))
    choice.select_option("Token accuracy")
    name, png = save(page, figure, "PNG")
    assert name == "reverse-causal-seed0-epoch12-accuracy.png" and png.startswith(b"\x89PNG")
    accuracy = parsed(save(page, figure, "SVG")[1])
    size = [2 * int(accuracy.get(side) or 0) for side in ("width", "height")]
    assert list(struct.unpack(">II", png[16:24])) == size
    assert len(png) > 20_000, "not blank"


def test_pictures_have_the_colours_of_the_light_theme() -> None:
    site = (WEB / "styles/site.css").read_text(encoding="utf-8")
    light = dict(re.findall(r"(--[\w-]+): (#\w+);", site.partition("@media")[0]))
    palette = dict(re.findall(r'"(--[\w-]+)": "(#\w+)"', (WEB / "src/pictures/palette.js").read_text(encoding="utf-8")))
    for name in palette.keys() - {"--paper", "--panel", "--field"}:
        assert palette[name] == light[name], name
