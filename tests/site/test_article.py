"""The article: whole without JavaScript, its numbers those of the package, its links in order, figures anywhere."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from trainer_page import Open, open_trainer, write_page_of_one

from microtransformer import theory
from web.build.measure import RUNS, SEEDS, WITHOUT_ATTENTION, measured, summary
from web.build.pages import look_up
from web.build.server import Site

SECTIONS = ["lookup", "shapes", "scaling", "jacobian", "causal", "flops", "norm", "train", "same-numbers", "sources"]
FIGURES = [
    "attention-lookup", "shape-table", "score-spread", "head-spread", "softmax-jacobian", "causal-mask", "layer-flops",
    "gradient-depth",
]  # fmt: skip


def text_of(site: Site) -> str:
    return (site.root / "index.html").read_text(encoding="utf-8")


def behind_the_text(site: Site) -> dict[str, Any]:
    """What the build measured for the text."""
    (file,) = site.root.glob("recorded/measured-*.json")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def plain_page(browser: Browser, site: Site) -> Any:
    """The article in a browser without JavaScript."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url)
    yield page
    context.close()


def test_without_javascript_every_section_is_there(plain_page: Page) -> None:
    assert plain_page.locator("main > section").evaluate_all("(all) => all.map((one) => one.id)") == SECTIONS
    headings = plain_page.get_by_role("heading", level=2).all_inner_texts()
    assert len(headings) == len(SECTIONS)
    assert plain_page.locator("article, main").inner_text().count(r"\(") == 0


def test_without_javascript_every_figure_shows_something(plain_page: Page) -> None:
    for tag in FIGURES:
        figure = plain_page.locator(tag)
        box = figure.bounding_box()
        assert box is not None and box["height"] > 150, tag
        assert re.search(r"\d", figure.inner_text()), tag
        assert figure.locator("canvas").count() == 0, f"<{tag}> draws nothing without a script"


def test_formulas_are_mathml_in_the_sites_own_font(open_article: Open, site: Site) -> None:
    assert "\\(" not in text_of(site) and "\\[" not in text_of(site)
    page = open_article(save_data=True, reduced_motion="reduce")
    formulas = page.page.locator("math")
    assert formulas.count() > 100
    assert page.page.locator("merror").count() == 0
    assert page.page.evaluate("document.fonts.load('16px \"STIX Two Math\"').then((fonts) => fonts.length)") == 1
    assert [url for url in page.watch.requests if url.endswith(".woff2")]


def numbers_in(site: Site) -> list[tuple[str, float]]:
    """Path and value of every number that is marked in the text."""
    marked = re.findall(r'<data value="([^"]*)" data-from="([^"]*)">', text_of(site))
    return [(path, float(value)) for value, path in marked]


def test_the_numbers_of_the_theory_are_recomputed(site: Site) -> None:
    quoted = [(path, value) for path, value in numbers_in(site) if path.startswith("theory.")]
    assert len(quoted) >= 15
    fresh = {"theory": json.loads(json.dumps(theory.numbers()))}
    for path, value in quoted:
        assert look_up(fresh, path) == pytest.approx(value, rel=1e-6), path


def test_the_numbers_of_training_are_those_of_its_runs(site: Site) -> None:
    found = behind_the_text(site)
    assert found["seeds"] == SEEDS
    quoted = [(path, value) for path, value in numbers_in(site) if path.startswith("runs.")]
    assert len(quoted) >= 20
    for path, value in quoted:
        _, run, measure, kind = path.split(".")
        assert summary(found["runs"][run][measure]["each"])[kind] == value, path


@pytest.mark.parametrize("name", [name for name in (*RUNS, *WITHOUT_ATTENTION) if not name.endswith("-compared")])
def test_the_last_seed_of_a_run_is_trained_again(site: Site, name: str) -> None:
    settings = (RUNS | WITHOUT_ATTENTION)[name]
    again = measured((settings, SEEDS - 1, name not in WITHOUT_ATTENTION))
    for measure, value in again.items():
        each = behind_the_text(site)["runs"][name][measure]["each"]
        assert each[SEEDS - 1] == (None if value is None else pytest.approx(value, rel=1e-3)), measure


def test_every_link_within_the_page_has_its_target(site: Site) -> None:
    text = text_of(site)
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    links = set(re.findall(r'href="#([^"]+)"', text))
    assert {link for link in links if "=" not in link} <= set(ids)


def test_every_source_is_used_and_nothing_else_is_cited(site: Site) -> None:
    text = text_of(site)
    body, sources = text.split('<section id="sources">')
    listed = set(re.findall(r'<li id="([^"]+)"', sources))
    cited = {link for link in re.findall(r'href="#(\w+\d{4}\w?)"', body)}
    assert listed == cited
    assert len(listed) >= 20


def test_contents_and_neighbours_lead_through_the_article(open_article: Open) -> None:
    page = open_article(save_data=True, reduced_motion="reduce").page
    contents = page.get_by_role("navigation", name="Contents").get_by_role("link")
    assert contents.evaluate_all("(all) => all.map((one) => one.hash.slice(1))") == SECTIONS
    contents.nth(5).click()
    expect(page.locator("#flops h2")).to_be_in_viewport()
    page.locator("#flops .turns .before").click()
    expect(page.locator("#causal h2")).to_be_in_viewport()
    assert page.evaluate("location.hash") == "#causal"
    page.locator("#causal .turns .after").click()
    expect(page.locator("#flops h2")).to_be_in_viewport()


def test_a_deep_link_opens_at_its_figure(open_article: Open) -> None:
    page = open_article("#figure-jacobian", save_data=True, reduced_motion="reduce")
    page.wait(observed="FACE@40")
    expect(page.page.locator("#figure-jacobian")).to_be_in_viewport()
    assert page.page.evaluate("location.hash") == "#figure-jacobian"


SHIFTS = """
globalThis.shifted = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    const moved = sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 120));
    shifted.push({ value, moved });
  }
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_when_the_figures_come_alive(open_article: Open, width: int) -> None:
    page = open_article(viewport={"width": width, "height": 900}, reduced_motion="reduce", scripts=(SHIFTS,))
    page.wait(observed="FACE@40")
    places = "() => [...document.querySelectorAll('h2, figcaption')].map((one) => one.offsetTop)"
    for tag in FIGURES:
        page.page.locator(tag).scroll_into_view_if_needed()
    before = page.page.evaluate(places)
    page.page.locator(FIGURES[0]).hover()
    page.wait_live()
    for tag in FIGURES:
        expect(page.page.locator(tag)).to_have_attribute("data-engine", "live")
    assert page.page.evaluate(places) == before
    assert [shift for shift in page.page.evaluate("shifted") if shift["value"] > 0.001] == []


@pytest.mark.parametrize("tag", FIGURES)
def test_a_figure_works_alone_on_another_page(browser: Browser, site: Site, tag: str) -> None:
    name = write_page_of_one(site.root, tag)
    with open_trainer(browser, site.url + name, save_data=True) as page:
        figure = page.page.locator(tag)
        expect(figure.locator(".source")).to_be_visible()
        assert re.search(r"\d", figure.inner_text())
        assert page.watch.runtime_requests() == []


def test_paper_shows_the_figures_and_nothing_to_press(open_article: Open) -> None:
    page = open_article(save_data=True, reduced_motion="reduce", color_scheme="dark").page
    page.emulate_media(media="print")
    for tag in FIGURES:
        figure = page.locator(tag)
        assert re.search(r"\d", figure.inner_text()), tag
        assert figure.locator("button:visible, input[type=range]:visible, select:visible").count() == 0, tag
    assert page.locator(".turns:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
