"""The tools under every figure: links, embed code, and the handout."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect
from trainer_page import Open

FIGURES = [
    "attention-lookup", "shape-table", "score-spread", "head-spread", "softmax-jacobian", "causal-mask", "layer-flops",
    "block-diagram", "gradient-depth", "micro-trainer",
]  # fmt: skip

COPIES = "globalThis.copied = []; navigator.clipboard.writeText = async (text) => void copied.push(text); 0"


def opened(figure: Locator) -> Locator:
    """The tools of a figure, unfolded with the keyboard."""
    opener = figure.get_by_role("button", name=re.compile("^Share:"))
    opener.press("Enter")
    expect(opener).to_have_attribute("aria-expanded", "true")
    return figure.locator(".tools")


def test_links_and_code_are_copied(open_article: Open) -> None:
    page = open_article("#mask=causal&epoch=3", save_data=True, reduced_motion="reduce")
    page.wait(observed="FACE@3")
    page.page.evaluate(COPIES)
    site = page.watch.address
    spread = page.page.locator("score-spread")
    spread.get_by_role("spinbutton").fill("64")
    tools = opened(spread)
    tools.get_by_role("button", name="Copy link").click()
    expect(tools.get_by_role("status")).to_have_text("Copied")
    tools.get_by_role("button", name="Copy embed code: frame").click()
    tools.get_by_role("button", name="Copy embed code: element").click()
    trainer = opened(page.figure)
    trainer.get_by_role("button", name="Copy link").click()
    trainer.get_by_role("button", name="Copy embed code: element").click()
    trainer.get_by_role("button", name="Copy embed code: frame").click()
    diagram = opened(page.page.locator("block-diagram"))
    diagram.get_by_role("button", name="Copy link").click()
    link, frame, element, trainer_link, trainer_element, trainer_frame, diagram_link = page.page.evaluate("copied")
    assert link == f"{site}#figure=score-spread&d_k=64"
    assert re.fullmatch(
        rf'<iframe src="{re.escape(site)}embed\.html\?figure=score-spread#d_k=64" title="[^"]+" width="100%" '
        r'height="\d{3}" style="border: 0; min-height: calc\(1434px - 100vw\); color-scheme: light dark" '
        r'loading="lazy"></iframe>',
        frame,
    )
    assert element.startswith(
        f'<script type="module" src="{site}embed.js"></script>\n<micro-transformer figure="score-'
    )
    assert ' d_k="64" ' in element
    assert trainer_link.startswith(f"{site}#") and "mask=causal" in trainer_link and "epoch=3" in trainer_link
    assert 'figure="trainer"' in trainer_element and 'mask="causal"' in trainer_element
    # High enough for a column of text, narrower than the article's figures.
    (height,) = re.findall(r' height="(\d+)"', trainer_frame)
    assert int(height) > 1400
    assert diagram_link == f"{site}#figure-block"
    # Where the clipboard is closed, the text stands there, selected.
    page.page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no')); 0")
    tools.get_by_role("button", name="Copy link").click()
    field = tools.get_by_role("textbox", name="Text to copy")
    expect(field).to_have_value(link)
    assert page.page.evaluate("document.activeElement.value.slice(document.activeElement.selectionStart)") == link
    expect(tools.get_by_role("status")).to_contain_text("is selected")


def test_every_figure_has_tools_that_a_finger_finds_and_none_move_it(open_article: Open) -> None:
    page = open_article(save_data=True, reduced_motion="reduce", viewport={"width": 320, "height": 640})
    page.wait(observed="FACE@40")
    for tag in FIGURES:
        tools = opened(page.page.locator(tag))
        for button in tools.locator("button:visible").all():
            box = button.bounding_box()
            assert box is not None and min(box["width"], box["height"]) >= 24, tag
    assert page.page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_handout_has_the_figures_as_they_stand(open_article: Open) -> None:
    page = open_article(
        "#task=sort&mask=causal&probe=HEAD&epoch=7&experiment=causal&answer=1", save_data=True, reduced_motion="reduce"
    )
    page.wait(observed="HEAD@7")
    start = "start of W_O and W_down divided by √(2L)"
    states = {
        "gradient-depth": ({"layers": "16", "scaled": "on"}, f"Layers: 16; width: 32; {start}: yes"),
        "layer-flops": (
            {"model": "gpt2"},
            "Layer of: GPT-2 small; only the causal half of the pairs counted: no; width d: 768; tokens T: 1,024",
        ),
        "attention-lookup": (
            {"token": "1", "q": "2,-1"},
            "Token that attends: cat; its query: 2, −1; shown up to: Sum",
        ),
        "score-spread": ({"d_k": "64"}, "Width d_k: 64"),
        "causal-mask": ({"mask": "bidirectional"}, "Mask: Bidirectional"),
    }
    for tag, (state, _) in states.items():
        page.page.locator(tag).evaluate("(figure, state) => figure.open(state)", state)
    expect(page.page.locator("layer-flops")).to_have_attribute("data-answered", re.compile("gpt2"))
    expect(page.page.locator("gradient-depth [data-part=sentence]")).to_contain_text("layer 16")
    count = "document.body.dataset.printed = Number(document.body.dataset.printed ?? 0) + 1"
    page.page.evaluate(f"globalThis.print = () => {{ {count}; }}; 0")
    page.button("Print a handout").click()
    expect(page.page.locator("body")).to_have_attribute("data-printed", "1")
    page.page.emulate_media(media="print")
    for tag, (_, words) in states.items():
        expect(page.page.locator(f"{tag} .settings")).to_have_text(words)
        expect(page.page.locator(f"{tag} .settings")).to_be_visible()
    expect(page.page.locator(".tools button:visible, .handout:visible, micro-trainer canvas:visible")).to_have_count(0)
    drawings = page.figure.locator(".paper svg")
    expect(drawings).to_have_count(3)
    expect(drawings.first).to_contain_text("sort, causal mask, seed 0; epoch 7; probe HEAD")
    for drawing in drawings.all():
        expect(drawing).to_be_visible()
    expect(page.figure.locator(".caption")).to_be_visible()
    for part, seen in {".question": True, "[data-options=answer]": True, "[data-options=experiment]": False}.items():
        expect(page.figure.locator(f".experiments {part}")).to_be_visible(visible=seen)
    expect(page.figure.get_by_text("Take away")).to_be_hidden()
    page.page.emulate_media(media="screen")
    pdf = page.page.pdf(format="A4")
    assert pdf.startswith(b"%PDF-") and len(pdf) > 100_000
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) > 10
