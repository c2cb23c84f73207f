"""Figures on other people's pages: the element, its protocol, and what such pages do to their frames."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from expected import native_run
from host_page import LISTEN, NO_STORAGE, HostPage, OpenHost, open_host, write_hosts
from playwright.sync_api import Browser, expect
from test_embed import from_source
from trainer_page import BOOT_MS

from web.build.headers import Rule
from web.build.server import Site, serve_directory

PAIR = """<!doctype html><link rel="icon" href="data:,"><script type="module" src="{site}embed.js"></script>
<micro-transformer id="one" figure="trainer" task="copy" mask="causal" title="Copying"></micro-transformer>
<p id="between">Between.</p>
<micro-transformer id="two" figure="trainer" task="sort" fix="task"></micro-transformer>
<div id="tall" style="height: 3000px"></div><iframe id="stranger"></iframe>"""

EMPTY = """<!doctype html><link rel="icon" href="data:,"><script type="module" src="{site}embed.js"></script><body>"""

# So that no figure is on the screen.
AWAY = "scrollTo(0, document.querySelector('#tall').getBoundingClientRect().top + scrollY + 100)"


@pytest.fixture(scope="module")
def hosts(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The host pages, on a server that sends no headers of ours."""
    folder = tmp_path_factory.mktemp("hosts")
    write_hosts(folder, site)
    (folder / "empty.html").write_text(EMPTY.format(site=site.url), encoding="utf-8")
    (folder / "pair.html").write_text(PAIR.format(site=site.url), encoding="utf-8")
    with serve_directory(folder, rules=[]) as server:
        yield server


@pytest.fixture
def host(browser: Browser, site: Site, hosts: Site) -> Iterator[OpenHost]:
    """Opens a host page in a new context: `host("course.html", color_scheme="dark")`."""
    with ExitStack() as pages:

        def open_it(name: str, **options: object) -> HostPage:
            page = pages.enter_context(open_host(browser, site, hosts, **({"reduced_motion": "reduce"} | options)))
            page.go(name)
            return page

        yield open_it


def test_two_figures_on_a_page_where_frames_may_store_nothing(host: OpenHost) -> None:
    page = host("pair.html", scripts=(NO_STORAGE,), viewport={"width": 1000, "height": 2400})
    reserved = page.call("e.offsetHeight"), page.call("e.offsetHeight", 1)
    page.wait(0, observed="FACE@40", engine="recorded")
    page.wait(1, observed="FACE@40", engine="recorded")
    page.hears("ready", 0, figure="trainer")
    page.hears("ready", 1, figure="trainer")
    assert page.call("e.shadowRoot.querySelector('iframe').title") == "Copying"

    # As high as the content, from nearly the first moment on.
    for n in (0, 1):
        expect(page.frame(n).locator(".caption")).not_to_be_empty()
        page.fits(n)
        assert page.call("e.offsetHeight", n) == pytest.approx(reserved[n], abs=60)
    page.call("e.setAttribute('height', '500')", 1)
    assert page.call("e.offsetHeight", 1) == 500
    page.call("e.removeAttribute('height')", 1)
    page.wait(1, observed="FACE@40")
    page.fits(1)

    # Each has its own state; attributes and methods change it.
    assert page.call("e.read()")["task"] == "copy"
    assert page.call("e.read()", 1)["task"] == "sort"
    page.call("e.setAttribute('probe', 'HEAD')")
    page.wait(0, observed="HEAD@40")
    page.call("e.set({ epoch: 3, mask: 'bidirectional' })")
    page.wait(0, observed="HEAD@3")
    page.hears("state", 0)
    assert page.heard("state")[-1]["state"]["mask"] == "bidirectional"
    assert page.heard("state", 1) == []  # nothing has changed in the other
    page.call("e.set({ task: 'copy' })", 1)
    page.hears("error", 1, message="task is fixed by the page that embeds this figure.")
    assert page.call("e.read()", 1)["task"] == "sort"
    assert page.watch.runtime_requests() == []


def test_a_page_has_a_figure_train(host: OpenHost) -> None:
    """Epochs, pauses and the end are told; out of sight, nothing trains."""
    page = host("pair.html")
    page.wait(0, observed="FACE@40")
    page.page.evaluate(AWAY)
    page.rests()
    page.call("e.step()")
    assert page.call("e.read()")["task"] == "copy"  # the message before it has arrived
    page.wait(0, engine="recorded")
    page.page.evaluate("scrollTo(0, 0)")
    page.wait(0, engine="live", source="live", training=False, trained=1)
    page.hears("done", 0, epoch=1)
    assert [event["record"]["epoch"] for event in page.heard("epoch")] == [0, 1]
    loss = native_run("copy", "causal", 0, 1).history[1].ce
    assert page.heard("epoch")[1]["record"]["ce"] == pytest.approx(loss, abs=0.02)

    page.call("(e.train(), new Promise((go) => e.addEventListener('epoch', go, { once: true })))")
    page.page.evaluate(AWAY)
    trained = page.rests()
    trainer = page.trainer()
    # Whatever the engine still sends was under way; after an answer of its, there is no more.
    asked = "(t) => t.controller.engine.api.observe(t.controller.live.id, 0, 'EDGE').then(() => t.controller.trained)"
    now = trainer.evaluate(asked)
    assert trained <= now < 40  # how much was under way depends on the machine
    assert trainer.evaluate(asked) == now
    assert page.trainer().get_attribute("data-training") == "true"
    assert len(page.heard("done")) == 1
    page.page.evaluate("scrollTo(0, 0)")
    expect(trainer).not_to_have_attribute("data-trained", str(now), timeout=BOOT_MS)
    page.call("e.pause()")
    page.wait(0, training=False)
    expect(page.frame().locator(".status")).to_contain_text(re.compile("Train (goes on|runs it again)"))
    page.call("e.reset()")
    page.wait(0, trained=0)
    # What has gone hears and says nothing. Chromium calls the script of its shared worker aborted, long after it came.
    page.watch.allow(r"^failed: \S*/worker-\S+ net::ERR_ABORTED")
    asked_last = page.call(
        "(() => { const answer = e.read(); e.remove(); return answer.catch((error) => error.message); })()"
    )
    assert asked_last == "The figure has been removed from the page."


def test_both_sides_look_at_every_message(host: OpenHost, site: Site) -> None:
    page = host("pair.html")
    page.hears("ready", 0)
    post = "e.shadowRoot.querySelector('iframe').contentWindow.postMessage(%s, '*')"
    said = "There is no message “dance”; a figure takes set, read, theme, train, pause, step, reset."
    old = "This figure speaks version 1 of its protocol; the message has version 2."
    texts = "The message “set” needs a state: an object whose values are strings."
    for message, answer in {
        "{ microTransformer: 1, type: 'dance' }": said,
        "{ microTransformer: 1, type: 'set', state: { task: 3 } }": texts,
        "{ microTransformer: 1, type: 'read' }": "The message “read” needs an id: a whole number.",
        "{ microTransformer: 2, type: 'set' }": old,
    }.items():
        page.call(post % message)
        page.hears("error", 0, message=answer)
    for ignored in ("null", "'set'", "{ type: 'set', state: { task: 'sort' } }", "[]"):
        page.call(post % ignored)
    before = page.call("e.read()")
    assert before["task"] == "copy" and len(page.heard("error")) == 4

    # Another window speaks, to the frame and to the page: neither listens.
    page.page.locator("#stranger").evaluate(
        """(stranger) => new Promise((resolve) => {
          const state = { microTransformer: 1, type: "set", state: { task: "sort" } };
          const { contentWindow } = document.querySelector("micro-transformer").shadowRoot.querySelector("iframe");
          const script = stranger.contentDocument.createElement("script");
          script.textContent = `top.frames[0].postMessage(${JSON.stringify(state)}, "*");
            top.postMessage({ microTransformer: 1, type: "height", height: 77 }, "*");
            top.postMessage({ microTransformer: 1, type: "error", message: "from elsewhere" }, "*"); top.spoken();`;
          globalThis.spoken = resolve;
          stranger.contentDocument.body.append(script);
        })"""
    )
    assert page.call("e.read()") == before
    assert page.call("e.offsetHeight") > 500
    assert page.heard("error")[-1]["message"] != "from elsewhere"
    # Nor does the element take a wrong message from its own frame.
    page.frame().locator("html").evaluate(
        """() => {
          const say = (message) => parent.postMessage({ microTransformer: 1, ...message }, "*");
          for (const height of [-5, "9", NaN, 1e9]) say({ type: "height", height });
          say({ microTransformer: 7, type: "height", height: 9 });
          say({ type: "done" });
        }"""
    )
    assert page.call("e.read()") == before
    assert page.call("e.offsetHeight") > 500 and page.heard("done") == []


def test_a_frame_without_an_origin(host: OpenHost) -> None:
    """sandbox="allow-scripts": the figure shows, replays and trains."""
    page = host("pair.html")
    page.watch.allow(r"^failed: \S* net::ERR_ABORTED$")
    page.call("e.setAttribute('sandbox', 'allow-scripts')")  # a new frame: the one before may not be complete
    page.wait(0, observed="FACE@40", engine="recorded")
    assert page.trainer().evaluate("() => self.origin") == "null"
    page.fits()
    page.call("e.set({ task: 'sort', mask: 'causal' })")
    expect(page.frame().get_by_role("radio", name="Sort")).to_be_checked()
    assert page.call("e.read()")["task"] == "sort"
    page.call("e.setAttribute('theme', 'dark')")
    expect(page.frame().locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.frame().locator("main")).to_have_css("background-color", "rgb(28, 29, 34)")
    page.watch.allow("^console warning: Download is disallowed.")
    page.frame().get_by_role("button", name="Share:").click()
    page.frame().get_by_role("button", name="Save picture as SVG").click()
    expect(page.frame().locator(".tools .done")).to_contain_text(", if the page around allows downloads")
    page.frame().get_by_role("button", name="Step", exact=True).click()
    page.wait(0, engine="live", source="live", trained=1, training=False)


def test_a_page_without_an_origin(host: OpenHost, site: Site) -> None:
    """A notebook may show its output in a sandbox, which the frame in it inherits. The height told first stays: it is
    told once the formulas have their font."""
    page = host("empty.html").page
    output = f"""<script type="module" src="{site.url}embed.js"></script><script>{LISTEN}
      globalThis.heights = [];
      addEventListener("message", ({{ data }}) => data.type === "height" && heights.push(data.height));
    </script><micro-transformer figure="layer-flops"></micro-transformer>"""
    page.evaluate(
        """(output) => {
          const frame = document.createElement("iframe");
          frame.sandbox = "allow-scripts";
          frame.style = "width: 800px; height: 1000px";
          frame.srcdoc = output;
          document.body.append(frame);
        }""",
        output,
    )
    notebook = page.frame_locator("iframe")
    figure = notebook.frame_locator("micro-transformer >> iframe").locator("body")
    expect(figure.locator(".source")).to_contain_text("Computed when this page was built.")
    assert figure.evaluate("() => self.origin") == "null"
    element = notebook.locator("micro-transformer")
    state = element.evaluate("async (e) => [await e.read(), heard.some(({ type }) => type === 'ready')]")
    assert "d" in state[0] and state[1]
    heights = element.evaluate(
        """async () => {
          while (!heights.length) await new Promise(requestAnimationFrame);
          return heights;
        }"""
    )
    assert heights == [element.evaluate("(e) => e.offsetHeight")]
    assert figure.evaluate("(e) => Math.ceil(e.getBoundingClientRect().height)") == heights[0]


def test_a_page_that_is_isolated(browser: Browser, site: Site, hosts: Site) -> None:
    """Notebooks that run in the page may need SharedArrayBuffer, which lets in only frames that say they may come."""
    policies = {"Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Opener-Policy": "same-origin"}
    page = browser.new_page(reduced_motion="reduce")
    with serve_directory(hosts.root, rules=[Rule(re.compile(".*"), policies)]) as server:
        page.goto(f"{server.url}panels.html")  # by an address that counts as secure
        assert page.evaluate("crossOriginIsolated")
        page.locator("summary").click()
        trainer = page.frame_locator("micro-transformer >> nth=0 >> iframe").locator("micro-trainer")
        expect(trainer).to_have_attribute("data-observed", "FACE@40", timeout=BOOT_MS)
    page.close()


def test_attributes_count_in_their_turn(host: OpenHost) -> None:
    """What is asked for after an attribute has been set, is asked of the figure with this attribute."""
    page = host("empty.html")
    page.watch.allow(r"^failed: \S*/embed.html\S* net::ERR_ABORTED")  # of frames that are replaced
    page.page.evaluate(
        """() => {
          const element = document.createElement("micro-transformer");
          document.body.append(element);
          element.setAttribute("task", "copy");
          element.set({ probe: "HEAD" });
          element.setAttribute("fix", "task"); // this needs another frame
        }"""
    )
    page.wait(0, observed="HEAD@40")
    assert page.call("e.read()")["task"] == "copy"
    expect(page.frame().get_by_role("radio", name="Sort")).to_be_disabled()
    page.call("(e.setAttribute('hide', 'tools'), e.set({ mask: 'causal' }))")
    expect(page.frame().get_by_role("radio", name="Causal")).to_be_checked()
    expect(page.frame().locator(".tools")).to_be_hidden()

    # The figure stays as it is when an attribute is set to what it was, or is none of its own.
    ready = len(page.heard("ready"))
    page.call("e.setAttribute('hide', 'tools')")
    for change in ("setAttribute('x-cloak', '')", "removeAttribute('x-cloak')", "setAttribute('height', '500px')"):
        page.call(f"e.{change}")
    assert page.call("e.offsetHeight") == 500
    assert page.frame().locator("html").evaluate("(e) => e.scrollHeight > e.clientHeight")
    for no_number in ("80vh", "100%"):
        page.call(f"e.setAttribute('height', '{no_number}')")
        page.fits()
    if page.call("'moveBefore' in document.body"):
        page.call("document.body.moveBefore(e, document.body.firstChild)")
    assert page.call("e.read()")["mask"] == "causal"
    assert len(page.heard("ready")) == ready
    # Loaded anew, the frame still has what its page says.
    page.call("(e.setAttribute('probe', 'EDGE'), e.setAttribute('theme', 'dark'))")
    page.call("(globalThis.again = new Promise((go) => e.addEventListener('ready', go, { once: true })), 0)")
    page.frame().locator("html").evaluate("() => location.reload()")
    page.page.evaluate("again.then(() => 0)")
    expect(page.frame().locator("html")).to_have_attribute("data-theme", "dark")
    page.wait(0, observed="EDGE@40")
    assert page.call("e.read()")["probe"] == "EDGE"
    assert len(page.heard("ready")) == ready + 1
    # Moved otherwise, it begins anew, as frames do.
    page.call("document.body.append(e)")
    assert page.call("e.read()")["mask"] == "bidirectional"


def test_figures_in_panels_that_open_later(host: OpenHost) -> None:
    page = host("panels.html")
    page.page.locator("summary").click()
    page.wait(0, observed="FACE@40")
    expect(page.frame().locator(".caption")).not_to_be_empty()
    page.fits()
    sizes = page.trainer().evaluate(
        """(trainer) => [...trainer.querySelectorAll(".heatmap canvas, .curve canvas")].map((canvas) =>
          [canvas.width / devicePixelRatio - canvas.clientWidth, canvas.clientWidth > 100])"""
    )
    assert len(sizes) == 6
    assert all(abs(off) <= 1 and wide for off, wide in sizes)
    # Closed, nothing of it trains or loads.
    page.page.locator("summary").click()
    page.rests()
    page.call("e.train()")
    reserved = page.call("parseInt(e.shadowRoot.querySelector('iframe').style.height)", 1)
    page.page.locator("#panel").evaluate("(panel) => { panel.style.display = 'block'; }")
    expect(page.frame(1).get_by_label("Width d_k", exact=True)).to_have_value("64")
    page.fits(1)
    assert page.call("e.offsetHeight", 1) == pytest.approx(reserved, abs=60)
    assert page.watch.runtime_requests() == []
    page.page.locator("summary").click()
    expect(page.trainer()).to_have_attribute("data-engine", re.compile("loading|live"))


@pytest.mark.parametrize("name", ["mkdocs", "jupyterbook", "quarto"])
def test_in_the_markup_of_course_software(host: OpenHost, name: str) -> None:
    page = host(f"{name}.html", viewport={"width": 1100, "height": 800})
    page.hears("ready", 0)
    card = page.frame().locator("main")
    expect(card.locator(".origin")).to_be_visible()
    page.element().evaluate("(e) => e.scrollIntoView()")
    page.fits()
    frame = page.call(
        "(({ offsetWidth, clientWidth }) => [offsetWidth, clientWidth, e.parentElement.clientWidth])"
        "(e.shadowRoot.querySelector('iframe'))"
    )
    assert frame[0] == frame[1] <= frame[2]
    assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if name == "mkdocs":
        # The page's switch between light and dark is followed at once.
        expect(card).to_have_css("background-color", "rgb(28, 29, 34)")
        frame_scheme = "getComputedStyle(e.shadowRoot.querySelector('iframe')).colorScheme"
        assert page.call(frame_scheme) == "dark"
        page.page.evaluate("document.body.dataset.mdColorScheme = 'default'")
        expect(card).to_have_css("background-color", "rgb(244, 244, 242)")
        assert page.call(frame_scheme) == "light"  # as the figure: otherwise its ground is black
        expect(page.frame().get_by_label("Width d_k", exact=True)).to_have_value("64")


def test_pages_that_allow_little(host: OpenHost) -> None:
    """A policy needs the site in frame-src, and in script-src for the element; an editor may leave only a frame."""
    page = host("policy.html")
    page.wait(0, observed="FACE@40")
    page.fits()
    assert page.call("getComputedStyle(e).display") == "block"
    page.go("policy_frame.html")
    frame = page.page.frame_locator("iframe")
    expect(frame.get_by_role("radio", name="Copy")).to_be_checked()
    page.go("moodle.html")
    expect(frame.locator("softmax-jacobian .source")).to_contain_text("Computed when this page was built.")
    expect(frame.locator(".origin")).to_be_visible()


@pytest.mark.parametrize("width", [390, 800])
def test_a_frame_alone_is_high_enough(host: OpenHost, site: Site, width: int) -> None:
    """A frame cannot follow its content; what is copied fits a phone and a column of text."""
    embedded = {"figure": "trainer", "title": "T", "state": {"mask": "causal"}, "site": site.url, "height": 800}
    code = from_source(f"code.iframeCode({json.dumps(embedded)})", "code")
    page = host("empty.html", viewport={"width": width, "height": 800}).page
    page.evaluate("(code) => { document.body.innerHTML = code; }", code)
    frame = page.frame_locator("iframe")
    expect(frame.locator("micro-trainer")).to_have_attribute("data-observed", "FACE@40", timeout=BOOT_MS)
    expect(frame.locator(".caption")).to_contain_text("No model under a causal mask")
    over = "(e) => [e.scrollHeight - e.clientHeight, e.clientHeight - document.body.getBoundingClientRect().height]"
    missing, spare = frame.locator("html").evaluate(over)
    assert missing == 0 and spare < 200
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [390, 1280])
def test_a_lesson_with_two_figures(host: OpenHost, width: int) -> None:
    page = host("course.html", viewport={"width": width, "height": 900}, color_scheme="dark")
    page.hears("ready", 0)
    page.element(1).scroll_into_view_if_needed()
    page.wait(1, observed="FACE@40")
    expect(page.frame(1).get_by_role("radio", name="Sort")).to_be_disabled()
    for n in (0, 1):
        page.element(n).scroll_into_view_if_needed()
        expect(page.frame(n).locator("main")).to_have_css("background-color", "rgb(28, 29, 34)")
        page.fits(n)
    assert page.page.evaluate("document.documentElement.scrollWidth") == width
