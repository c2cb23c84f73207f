"""The page as tests see it: its controls and scores by their accessible names, its state, and what went wrong in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response, expect

from web.build.server import Site

BOOT_MS = 90_000
"""Longest wait for the engine: it takes seconds, but a busy machine may need many."""

RUN_MS = 180_000
"""Longest wait for a whole training run, likewise."""

HEADS = ["Layer 1, head 1", "Layer 1, head 2", "Layer 2, head 1", "Layer 2, head 2"]

# What the reader's browser says when asked to save data: then only Train and its like start the engine, so a test of
# the recorded runs may use every control.
SAVE_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"

# Notes every change of what the figure shows, from its first drawing on; `TrainerPage.states_shown` reads it.
WATCH_STATE = """
globalThis.statesShown = [];
new MutationObserver(() => {
  const figure = document.querySelector("micro-trainer");
  const ce = figure?.querySelector("output[id$=-ce]")?.textContent;
  if (!ce || ce === "–") return;
  const { engine, source, observed } = figure.dataset;
  const state = { engine, source, observed, ce, epoch: Number(figure.querySelector("input[type=range]").value) };
  if (JSON.stringify(state) !== JSON.stringify(statesShown.at(-1))) statesShown.push(state);
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""

# For a worker: the next time Python asks what time it is, which training does, WebAssembly traps, and Python is dead.
KILL_PYTHON = """{
  const now = performance.now.bind(performance);
  performance.now = () => {
    if (new Error().stack.includes("wasm")) throw new WebAssembly.RuntimeError("unreachable");
    return now();
  };
}
"""


class Watch:
    """Everything that a page must not do: console errors and warnings, exceptions, failed or foreign requests."""

    def __init__(self, page: Page, url: str) -> None:
        self.address = url.split("#")[0]
        self.origin = "{0.scheme}://{0.netloc}/".format(urlsplit(url))
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.allowed: list[re.Pattern[str]] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        page.on("request", self._request)
        page.on("requestfailed", lambda request: self.problems.append(f"failed: {request.url} {request.failure}"))
        page.on("response", self._response)

    def allow(self, pattern: str) -> None:
        """Expect problems whose text matches the pattern."""
        self.allowed.append(re.compile(pattern))

    def check(self) -> None:
        """Fail on every problem that was not expected, and begin anew."""
        unexpected = [text for text in self.problems if not any(pattern.search(text) for pattern in self.allowed)]
        self.problems.clear()
        assert unexpected == []

    def runtime_requests(self) -> list[str]:
        """The requests so far for the engine: its worker, and all that is under /pyodide/."""
        return [url for url in self.requests if re.search(r"/pyodide/|/worker-", url)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.problems.append(f"console {message.type}: {message.text}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"status {response.status}: {response.url}")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.origin, "blob:", "data:")):
            self.problems.append(f"leaves the site: {request.url}")


class TrainerPage:
    """One open page with its trainer."""

    def __init__(self, page: Page, watch: Watch) -> None:
        self.page = page
        self.watch = watch
        self.figure = page.locator("micro-trainer")
        self.ce = page.get_by_label("Token CE loss")
        self.accuracy = page.get_by_label("Token accuracy")
        self.slider = page.get_by_role("slider", name="Epoch")
        self.probe = page.get_by_label("Probe sequence")
        self.seed = page.get_by_label("Seed")
        self.status = page.locator("micro-trainer .status")  # outputs have the role status too

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def radio(self, name: str) -> Locator:
        return self.page.get_by_role("radio", name=name)

    def choose(self, task: str, mask: str) -> None:
        """Pick a task and a mask with the pointer."""
        self.radio(task.capitalize()).check()
        self.radio(mask.capitalize()).check()

    def wait(self, timeout: float = 20_000, **state: object) -> None:
        """Until the figure's state is this: `wait(engine="live", trained=40)`; True is written "true"."""
        for name, value in state.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            expect(self.figure).to_have_attribute(f"data-{name}", text, timeout=timeout)

    def keep_and_step(self, seed: int, epochs: int) -> None:
        """Keep the run on screen, and train so many epochs of another, one by one."""
        self.button("Keep this run for comparison").click()
        self.seed.fill(str(seed))
        self.seed.press("Enter")
        for epoch in range(1, epochs + 1):
            self.button("Step").click()
            self.wait_run(epoch)

    def wait_live(self) -> None:
        """Until the engine runs; at once when it has failed, with the reason that the page gives."""
        settled = "micro-trainer[data-engine=live], micro-trainer[data-engine=failed]"
        self.page.wait_for_selector(settled, timeout=BOOT_MS)
        assert self.state("engine") == "live", self.status.inner_text()

    def wait_run(self, epochs: int = 40) -> None:
        """Until the engine's run on screen has that many epochs, and training is over."""
        done = f'micro-trainer[data-source=live][data-training=false][data-trained="{epochs}"]'
        self.page.wait_for_selector(done, timeout=RUN_MS)

    def state(self, name: str) -> str:
        return self.figure.get_attribute(f"data-{name}") or ""

    def trained(self) -> int:
        return int(self.state("trained"))

    def epoch(self) -> int:
        return int(self.slider.input_value())

    def epochs(self) -> int:
        return int(self.slider.get_attribute("max") or 0)

    def scores(self) -> tuple[float, float]:
        """Loss in nats and accuracy from 0 to 1, as displayed: three decimals of either."""
        return float(self.ce.inner_text()), round(float(self.accuracy.inner_text().removesuffix("%")) / 100, 3)

    def scrub(self, epoch: int, probe: str = "FACE") -> None:
        """Move the slider, and wait until scores and maps are those of the epoch."""
        self.slider.fill(str(epoch))
        self.page.wait_for_selector(f'micro-trainer[data-observed="{probe}@{epoch}"]')

    def curve(self) -> list[tuple[float, float]]:
        """The displayed scores of every epoch so far, by moving the slider along."""
        texts = self.slider.evaluate(
            """async (slider, trained) => {
              const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
              const figure = slider.closest("micro-trainer");
              const [ce, accuracy] = ["ce", "accuracy"].map((name) => figure.querySelector(`output[id$=-${name}]`));
              const texts = [];
              for (let epoch = 0; epoch <= trained; epoch++) {
                slider.value = epoch;
                slider.dispatchEvent(new Event("input", { bubbles: true }));
                await drawn();
                texts.push([ce.textContent, accuracy.textContent]);
              }
              return texts;
            }""",
            self.trained(),
        )
        return [(float(ce), round(float(accuracy.removesuffix("%")) / 100, 3)) for ce, accuracy in texts]

    def maps(self) -> list[list[list[float | None]]]:
        """Attention of every head, query by query, from the tables beside the maps; None: not allowed."""
        return [self.map(name) for name in HEADS]

    def map(self, name: str) -> list[list[float | None]]:
        """Attention of one head, by the name of its map."""
        rows = self.page.get_by_role("table", name=name, exact=True).evaluate(
            "(table) => [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1).map((c) => c.textContent))"
        )
        return [[None if cell == "not allowed" else float(cell) for cell in row] for row in rows]

    def row(self, name: str) -> list[str]:
        """A row of the table of positions, such as "Prediction": the first word of every cell."""
        cells = self.page.get_by_role("rowheader", name=name, exact=True).locator("xpath=../td").all_inner_texts()
        return [cell.split()[0] for cell in cells]

    def answer(self) -> str:
        return "".join(self.row("Prediction"))

    def states_shown(self) -> list[dict[str, Any]]:
        """Every state that the figure has shown, in order; for a page opened with `WATCH_STATE`."""
        states: list[dict[str, Any]] = self.page.evaluate("statesShown")
        return states


def write_page_of_one(root: Path, tag: str, shares: bool = False) -> str:
    """Write a page with one figure and nothing else into a copy of the site; its name.

    `shares`: it has its engine in common with other such pages.
    """
    head = re.search(r"<head>.*?</head>", (root / "index.html").read_text(encoding="utf-8"), re.DOTALL)
    assert head is not None
    name = f"{'shared' if shares else 'only'}-{tag}.html"
    body = f"<main><section><figure class='figure'><{tag}></{tag}></figure></section></main>"
    if tag == "micro-trainer":
        body = f"<main><section><{tag}></{tag}></section></main>"
    start = "<html lang='en' data-only>" if shares else "<html lang='en'>"
    (root / name).write_text(f"<!doctype html>{start}{head[0]}<body>{body}</body></html>", encoding="utf-8")
    return name


def trainer_url(site: Site) -> str:
    """The page with nothing but the trainer."""
    return f"{site.url}only-micro-trainer.html"


Open = Callable[..., TrainerPage]
"""The fixtures `open_page` and `open_article`: fragment and the options of `open_trainer` in, the open page out."""


@contextmanager
def open_trainer(
    browser: Browser,
    url: str,
    *,
    save_data: bool = False,
    prepare: Callable[[TrainerPage], None] | None = None,
    scripts: tuple[str, ...] = (),
    **options: Any,
) -> Iterator[TrainerPage]:
    """Open the page in a context of its own, and check at the end that nothing went wrong in it.

    `scripts` run before those of the page; `prepare` is called before the page is opened.
    """
    context = browser.new_context(viewport=options.pop("viewport", {"width": 1280, "height": 800}), **options)
    try:
        for script in ([SAVE_DATA] if save_data else []) + list(scripts):
            context.add_init_script(script)
        page = context.new_page()
        trainer = TrainerPage(page, Watch(page, url))
        if prepare:
            prepare(trainer)
        page.goto(url)
        yield trainer
        trainer.watch.check()
    finally:
        context.close()


def config(page: Page) -> dict[str, Any]:
    """What the build has told the page about the site's files."""
    settings: dict[str, Any] = json.loads(page.locator("#site-config").text_content() or "")
    return settings
