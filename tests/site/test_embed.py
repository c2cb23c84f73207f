"""The embed page alone: every figure, every option."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from trainer_page import Open, TrainerPage

from web.build.environment import node, node_env
from web.build.project import ROOT, WEB, execute
from web.build.server import Site

FIXED = "Fixed by the page that embeds this figure."


def from_source(expression: str, *modules: str) -> Any:
    """The value of an expression over what these modules of web/src/embed export."""
    imports = "".join(
        f"import * as {module} from {json.dumps(str(WEB / 'src/embed' / module))}.js;" for module in modules
    )
    imports = imports.replace('".js', '.js"')
    script = f"{imports} console.log(JSON.stringify({expression}));"
    code, output = execute([node(), "--input-type=module", "-e", script], doing="Reading a module", env=node_env())
    assert code == 0, output
    return json.loads(output)


@pytest.fixture
def embed(open_article: Open) -> TrainerPage:
    """The embed page without a figure, for readers who save data."""
    return open_article("embed.html", save_data=True, reduced_motion="reduce")


def go(page: TrainerPage, query: str) -> None:
    """Open another address of the embed page; what the one before still fetches is given up."""
    page.watch.allow("net::ERR_ABORTED$")
    page.page.goto("about:blank")
    page.page.goto(f"{page.watch.origin}embed.html?{query}")


def notice(page: TrainerPage) -> Locator:
    return page.page.locator("main > .notice")


def height(page: Page) -> float:
    tall: float = page.evaluate("document.body.getBoundingClientRect().height")
    return tall


def test_without_a_figure_it_says_which_there_are(embed: TrainerPage) -> None:
    expect(notice(embed)).to_contain_text("There is no figure “”. The figures are trainer, attention-lookup, ")
    go(embed, "figure=constructor")
    expect(notice(embed)).to_contain_text("There is no figure “constructor”.")


def test_every_figure_stands_alone_and_is_as_high_as_expected(embed: TrainerPage) -> None:
    """What is expected is what embed.js reserves, so that a page does not jump when the frame tells its height."""
    page = embed.page
    names = ["trainer", *json.loads(page.locator("#site-config").text_content() or "")["figures"]]
    widths = [390, 700, 1280]
    expected = from_source(
        f"{json.dumps(names)}.map((f) => {widths}.map((w) => heights.expectedHeight(f, w)))", "heights"
    )
    differ = {}
    for name, reserved in zip(names, expected, strict=True):
        go(embed, f"figure={name}")
        tag = "micro-trainer[data-observed]" if name == "trainer" else name
        page.locator(tag).locator("*").first.wait_for()
        found = []
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") == width, name
            found.append(height(page))
        if any(abs(tall - room) > 60 for tall, room in zip(found, reserved, strict=True)):
            differ[name] = found
        expect(page.locator(".origin a")).to_have_attribute("href", re.compile(r"^\./#"))
        assert page.evaluate("document.documentElement.dataset.only") == tag.split("[")[0]
    assert differ == {}
    assert embed.watch.runtime_requests() == []


def test_figures_take_their_state_and_link_to_the_article_with_it(embed: TrainerPage) -> None:
    go(embed, "figure=trainer#task=sort&mask=causal&epoch=7")
    embed.wait(observed="FACE@7")
    link = embed.page.locator(".origin a")
    expect(link).to_have_attribute("href", re.compile(r"^\./#(v=1&)?task=sort&mask=causal&epoch=7$"))
    expect(link).to_have_attribute("target", "_blank")
    expect(link).to_have_attribute("rel", "noopener")
    go(embed, "figure=gradient-depth#layers=9")
    expect(embed.page.get_by_role("slider", name="Layers")).to_have_value("9")
    expect(link).to_have_attribute("href", "./#figure=gradient-depth&layers=9")


def test_what_is_hidden_cannot_be_reached(embed: TrainerPage) -> None:
    page = embed.page
    go(embed, "figure=trainer&hide=knobs,experiments,files,compare,seed,probe,tools,link+positions&colour=red")
    embed.wait(observed="FACE@40")
    expect(notice(embed)).to_be_empty()  # an unknown option is ignored
    for hidden in ("details.knobs", "details.experiments", ".more", ".field.seed", ".field.probe", ".tools", ".origin"):
        expect(page.locator(hidden)).to_be_hidden()
    # With Tab, a reader comes to what is left and to nothing else.
    page.locator("body").click(position={"x": 2, "y": 2})
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.closest('[hidden]') === null"))
        if page.evaluate("document.activeElement.matches('.timeline input')"):
            break
    assert all(reached) and len(reached) < 14
    go(embed, "figure=gradient-depth&hide=layers,nonsense")
    expect(page.get_by_role("slider", name="Layers")).to_be_hidden()
    expect(notice(embed)).to_contain_text("“nonsense” cannot be named in hide for this figure; what can: controls, ")


def test_what_is_fixed_stays(embed: TrainerPage) -> None:
    page = embed.page
    go(embed, "figure=trainer&fix=task,seed,layers,shape#task=sort")
    embed.wait(observed="FACE@40")
    expect(notice(embed)).to_contain_text("“shape” cannot be named in fix for this figure; what can: task, mask, ")
    expect(embed.radio("Sort")).to_be_checked()
    for control in (embed.radio("Reverse"), embed.seed, page.get_by_label("Layers")):
        expect(control).to_be_disabled()
        expect(control).to_have_attribute("title", FIXED)
        described = control.get_attribute("aria-describedby") or ""
        assert "fixed" in described.split()
    expect(page.locator("#fixed")).to_have_text(FIXED)
    expect(page.locator("details.experiments")).to_be_hidden()
    # A link within the page may change the rest.
    page.evaluate("location.hash = 'task=copy&mask=causal'")
    expect(notice(embed)).to_have_text("task is fixed by the page that embeds this figure.")
    expect(embed.radio("Causal")).to_be_checked()
    expect(embed.radio("Sort")).to_be_checked()
    assert "task=sort" in page.url
    # Controls of other figures; where one has several, all of them give way.
    go(embed, "figure=score-spread&fix=d_k#d_k=64")
    box = page.get_by_label("Width d_k", exact=True)
    expect(box).to_have_value("64")
    expect(box).to_be_disabled()
    page.get_by_role("slider").first.fill("3")
    expect(box).to_have_value("64")


def test_recorded_runs_only(open_article: Open) -> None:
    """Nothing of Python is asked for, whatever the reader does, and the page says why."""
    embed = open_article("embed.html?figure=trainer&engine=recorded#task=copy&seed=3&probe=ABBA&layers=4")
    embed.wait(observed="FACE@40", source="recorded")
    page = embed.page
    expect(notice(embed)).to_contain_text("recorded runs only: seed needs one that is trained here.")
    expect(notice(embed)).to_contain_text("which know the probes FACE, HEAD, ABCD, EDGE.")
    expect(embed.status).to_have_text(re.compile("The page that embeds it shows recorded runs only.$"))
    expect(embed.radio("Copy")).to_be_checked()
    for hidden in (".buttons", "details.knobs", ".field.seed", ".field.probe input"):
        expect(page.locator(hidden)).to_be_hidden()
    embed.choose("sort", "causal")
    embed.button("EDGE").click()
    embed.wait(observed="EDGE@40")
    embed.scrub(3, "EDGE")
    embed.button("Replay").click()
    embed.wait(observed="EDGE@40")
    go(embed, "figure=score-spread&engine=recorded")
    page.locator("score-spread").hover()
    page.get_by_label("Width d_k", exact=True).fill("77")
    expect(page.locator(".source")).to_contain_text("The page that embeds this figure wants recorded numbers only.")
    assert embed.watch.runtime_requests() == []
    expect(embed.figure).to_have_count(0)


def test_a_theme_holds_whatever_the_reader_prefers(open_article: Open) -> None:
    colours = {}
    for prefers in ("light", "dark"):
        embed = open_article("embed.html", save_data=True, reduced_motion="reduce", color_scheme=prefers)
        for theme in ("light", "dark", "auto"):
            go(embed, f"figure=trainer&theme={theme}")
            embed.wait(observed="FACE@40")
            colours[prefers, theme] = embed.page.evaluate(
                """() => {
                  const of = (element) => getComputedStyle(element);
                  const curve = document.querySelector(".curve canvas");
                  return [of(document.querySelector("main")).backgroundColor, of(document.body).color,
                    of(document.documentElement).colorScheme, curve.toDataURL()];
                }"""
            )
    for theme in ("light", "dark"):
        assert colours["light", theme] == colours["dark", theme]
        assert colours[theme, "auto"][:2] == colours[theme, theme][:2]
        assert colours[theme, "auto"][3] == colours[theme, theme][3]
        assert colours["light", theme][2] == theme
    assert colours["light", "light"] != colours["light", "dark"]


def test_a_wrong_value_is_told_and_takes_the_default(embed: TrainerPage) -> None:
    go(embed, "figure=block-diagram&theme=blue&start=now")
    expect(notice(embed)).to_have_text(
        "“blue” is not a value of theme, which is one of auto, light, dark; it is auto now. "
        "“now” is not a value of start, which is one of click, view; it is click now."
    )
    expect(embed.page.get_by_role("img", name="Pre-norm")).to_be_visible()


def test_training_starts_when_the_trainer_is_seen(open_article: Open) -> None:
    embed = open_article("embed.html?figure=trainer&start=view#task=copy")
    embed.wait_live()
    embed.wait_run()
    calm = open_article("embed.html?figure=trainer&start=view#task=copy", reduced_motion="reduce")
    calm.wait(observed="FACE@40", training=False, engine="recorded")


def test_a_tab_behind_others_downloads_nothing(open_article: Open) -> None:
    behind = """Object.defineProperty(document, "visibilityState", {
      get: () => (globalThis.inFront ? "visible" : "hidden"),
    })"""
    embed = open_article("embed.html?figure=trainer", scripts=(behind,), reduced_motion="reduce")
    embed.wait(observed="FACE@40")
    embed.page.evaluate("new Promise((go) => new IntersectionObserver(go).observe(document.querySelector('main')))")
    embed.figure.evaluate("(trainer) => trainer.act('train')")
    embed.wait(engine="recorded")
    assert embed.watch.runtime_requests() == []
    embed.page.evaluate("globalThis.inFront = true; document.dispatchEvent(new Event('visibilitychange')); 0")
    expect(embed.figure).to_have_attribute("data-engine", re.compile("loading|live"))


def test_a_trainer_that_trains_at_once_is_not_empty(open_article: Open) -> None:
    """Asked to train before its recorded run has come, it shows that run until the engine has another; here, it never
    has."""
    held: list[Route] = []

    def prepare(embed: TrainerPage) -> None:
        embed.watch.allow(r"/pyodide/|net::ERR_FAILED")
        embed.page.route("**/pyodide/**", lambda route: route.abort())
        embed.page.route("**/recorded/reverse-*", lambda route: held.append(route))

    # Playwright does not see what a shared worker fetches.
    no_sharing = "delete globalThis.SharedWorker"
    url = "embed.html?figure=trainer"
    embed = open_article(url, prepare=prepare, scripts=(no_sharing,), reduced_motion="reduce")
    embed.figure.evaluate("(trainer) => trainer.act('train')")
    embed.wait(engine="failed")
    (recorded,) = held
    recorded.continue_()
    embed.wait(observed="FACE@40")
    expect(embed.status).to_contain_text("The recorded runs go on working.")


def test_without_scripts_there_is_a_way_to_the_article(site: Site) -> None:
    """Chromium shows no <noscript> where scripts are switched off for a test: its text is read."""
    with urlopen(f"{site.url}embed.html") as answer:
        (text,) = re.findall("<noscript>(.*?)</noscript>", answer.read().decode())
    assert text.startswith('<p>This figure needs JavaScript. <a href="./" target="_blank" rel="noopener">')


def test_the_readme_names_every_option() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    if "## How to embed" not in readme:
        pytest.skip("the README does not tell yet how to embed")
    section = readme.split("## How to embed")[1].split("\n## ")[0]
    for name, option in from_source("options.OPTIONS", "options").items():
        row = re.search(rf"^\| `{name}` \|.*$", section, re.MULTILINE)
        assert row is not None, name
        assert all(f"`{word}`" in row[0] for word in option.get("words", []))
