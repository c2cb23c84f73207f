"""The figures' state in links: what one reader has set, the next one sees."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, expect
from trainer_page import Open

READ = "(figure) => figure.read()"
CHANGED = "(figure) => figure.changed()"
FOLLOW = """(link) => new Promise((followed) => {
  if (location.hash === link) return followed();
  addEventListener("hashchange", () => followed(), { once: true }); // after the page's own listener
  location.hash = link;
})"""

# What a reader does to each figure: role and name of a control, and a value. All answers are recorded, so that nothing
# waits for the engine.
CHANGES: dict[str, list[tuple[Any, str, str]]] = {
    "attention-lookup": [("radio", "cat", ""), ("spinbutton", "First number", "2"), ("radio", "Scaled", "")],
    "score-spread": [("spinbutton", "Width d_k", "64")],
    "softmax-jacobian": [("slider", "Scale", "8")],
    "causal-mask": [("radio", "Bidirectional", ""), ("button", "Future 9", ""), ("radio", "Change C", "")],
    "layer-flops": [("combobox", "Layer of", "gpt2"), ("slider", "Tokens", "10"), ("checkbox", "causal half", "")],
    "gradient-depth": [("slider", "Layers", "16"), ("checkbox", "start", "")],
    "shape-table": [("button", "Numbers of O_concat", ""), ("button", "Numbers of O", ""), ("radio", "2", "")],
}


def change(figure: Locator, role: Any, name: str, value: str) -> None:
    control = figure.get_by_role(role, name=name, exact=role == "button").first
    if role == "button":
        control.click()
    elif role == "combobox":
        control.select_option(value)
    elif value:
        control.fill(value)
    else:
        control.check()


def test_a_link_shows_what_its_sender_saw(open_article: Open) -> None:
    page = open_article(save_data=True, reduced_motion="reduce")
    told = (
        "document.addEventListener('figure-state', ({ target, detail }) => "
        "(target.dataset.told = JSON.stringify(detail.state)))"
    )
    page.page.evaluate(told)
    seen: dict[str, tuple[str, Any, str]] = {}
    for tag, changes in CHANGES.items():
        figure = page.page.locator(tag)
        untouched = figure.evaluate(READ)
        assert figure.evaluate(CHANGED) == {}, tag
        for role, name, value in changes:
            change(figure, role, name, value)
        state = figure.evaluate(READ)
        assert state != untouched, tag
        in_json = json.dumps(state, separators=(",", ":"), ensure_ascii=False)
        expect(figure).to_have_attribute("data-told", in_json)  # once the figure has come to rest
        # The address follows the figure that was used last.
        changed = figure.evaluate(CHANGED)
        page.page.wait_for_url(re.compile(rf"#figure={tag}&" + ".*".join(f"{name}=" for name in changed)))
        seen[tag] = (page.page.url.removeprefix(page.watch.address), state, figure.inner_text())
    assert seen["layer-flops"][1]["model"] == "gpt2"
    assert page.watch.runtime_requests() == []
    # The next reader follows the links, one after the other.
    again = open_article(seen["score-spread"][0], save_data=True, reduced_motion="reduce")
    for tag, (link, state, text) in sorted(seen.items(), key=lambda item: item[0] != "score-spread"):
        again.page.evaluate(FOLLOW, link)
        figure = again.page.locator(tag)
        expect(figure).to_have_attribute("data-answered", page.page.locator(tag).get_attribute("data-answered") or "")
        assert figure.evaluate(READ) == state
        assert figure.inner_text() == text
        expect(figure).to_be_in_viewport()
        assert again.page.url.endswith(link), "a link that was followed stays in the address bar"
        expect(figure.locator(".notice")).to_have_count(0)
    # Such a link says nothing to the trainer; a link to the trainer says nothing to the figures.
    assert again.figure.evaluate(CHANGED) == {}
    again.page.evaluate("location.hash = '#task=sort&seed=0'")
    expect(again.radio("Sort")).to_be_checked()
    assert again.page.locator("causal-mask").evaluate(READ) == seen["causal-mask"][1]


# Link, what is changed then, and what is said about it.
WRONG: list[tuple[str, dict[str, str], str]] = [
    ("score-spread&d_k=9999", {"d_k": "512"}, "d_k was given as “9999”; it goes from 1 to 512, and 512 is shown."),
    ("layer-flops&T=1000", {"T": "1024"}, "T was given as “1000”; it goes by stops from 128 to 1048576, and 1024"),
    ("causal-mask&mask=<b>", {}, "mask was given as “<b>”; it is one of causal, bidirectional, and causal is shown."),
    ("causal-mask&scores=1,2", {}, "scores was given as “1,2”; it is 16 numbers with commas between them"),
    ("attention-lookup&q=99,-0", {"q": "3,0"}, "q was given as “99,-0”; each goes from -3 to 3, and 3,0 is shown."),
    ("shape-table&tensor=O&layer=7", {"tensor": "O", "layer": "2", "cell": "0,0,0"}, "a whole number from 1 to 2"),
    ("shape-table&cell=0,9,x", {}, "it is map, row and column, with commas between them, and 0,0,3 is shown."),
]


def test_what_a_link_cannot_mean_is_said(open_article: Open) -> None:
    page = open_article(f"#figure={WRONG[0][0]}", save_data=True, reduced_motion="reduce")
    for link, changed, notice in WRONG:
        page.page.evaluate("(link) => (location.hash = `figure=${link}`)", link)
        expect(page.page.locator(f"{link.partition('&')[0]} .notice")).to_contain_text(notice)
        assert page.page.locator(link.partition("&")[0]).evaluate(CHANGED) == changed, link
    # The cell pointed at is part of the state as well.
    page.page.evaluate("location.hash = 'figure=shape-table&cell=0,1,2'")
    expect(page.page.locator("shape-table [data-part=cell]")).to_contain_text(
        "Query A (position 1), key C (position 2)"
    )
    # What the reader does then needs no notice; a link without a mistake has none.
    figure = page.page.locator("score-spread")
    figure.get_by_role("spinbutton").fill("16")
    expect(figure.locator(".notice")).to_have_text("")
    page.page.evaluate("location.hash = 'figure=score-spread&d_k=1e1&unknown=3'")
    expect(figure.get_by_role("spinbutton")).to_have_value("10")
    expect(figure.locator(".notice")).to_have_text("")
