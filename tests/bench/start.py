"""How long a reader waits: for the first picture that moves, and for the live engine; beside stock Pyodide.

ours   from the press on Train to `data-engine="live"`, which includes the tests of the SIMD loops
stock  from making a worker to its word that loadPyodide, loadPackage (NumPy and our wheel, from the complete lock) and
       `import microtransformer.playground` are done, from the same server and with the same caching
copy   ours in the offline copy, opened from the disk
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.bench.engine_files import engine_files
from tests.bench.link import SlowSite, brotli, compress
from tests.bench.report import alternate, median, note, paired_ratio, spread, table
from tests.site.trainer_page import SAVE_DATA
from web.build import offline, site_zip
from web.build.project import DIST, WEB
from web.build.server import serve_directory

ROUNDS = 5
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
STOCK = Path("assets") / "stock"
MODULES = WEB / "node_modules" / "pyodide"
WARM_UP = 3
"""Visits before those that count: by the third, Chromium has kept the machine code of WebAssembly."""

START_OURS = """() => new Promise((resolve, reject) => {
  const figure = document.querySelector("micro-trainer");
  const begun = performance.now();
  new MutationObserver(() => {
    if (figure.dataset.engine === "live") resolve(performance.now() - begun);
    if (figure.dataset.engine === "failed") reject(figure.querySelector(".status").textContent);
  }).observe(figure, { attributes: true });
  figure.querySelector("[data-action=train]").click();
})"""
START_STOCK = """(url) => new Promise((resolve, reject) => {
  const begun = performance.now();
  const worker = new Worker(url);
  worker.onmessage = ({ data }) => (data === "ready" ? resolve(performance.now() - begun) : reject(data));
})"""
# When the displayed loss has changed for the first time, in ms since the navigation began.
FIRST_MOVE = """() => new Promise((resolve) => {
  const known = new Set();
  const look = () => {
    const text = document.querySelector("micro-trainer output[id$=-ce]")?.textContent;
    if (text && text !== "–") known.add(text);
    if (known.size > 1) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""


def run() -> str:
    """The report."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch, sync_playwright() as playwright:
        root = Path(scratch) / "site"
        _lay_out(root)
        program = os.environ["CHROMIUM"]
        context = playwright.chromium.launch_persistent_context(
            f"{scratch}/profile", executable_path=program, args=ARGUMENTS
        )
        with serve_directory(root) as site:
            warm = _alternate(context, site.url, warm_up=WARM_UP)
        copied = [_ours(context, (DIST / offline.NAME).as_uri()) for _ in range(ROUNDS)]
        context.close()
        note("  compressing with brotli; the first time this takes two minutes")
        compress(path for path in root.rglob("*") if path.is_file())
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        slow = SlowSite(root)
        with slow.start():
            cold, transferred = _cold(browser, slow)
            moving = [_first_move(browser, slow) for _ in range(ROUNDS)]
        browser.close()
        return "\n\n".join([*_report(warm, cold, transferred, moving, copied), _file_table(root)])


def _lay_out(root: Path) -> None:
    """The built site, and beside it stock Pyodide with the complete NumPy and our wheel."""
    shutil.copytree(DIST, root, ignore=shutil.ignore_patterns(offline.NAME, site_zip.NAME))
    stock = shutil.copytree(DIST / "pyodide", root / STOCK)
    lock = json.loads((MODULES / "pyodide-lock.json").read_text(encoding="utf-8"))
    lock["packages"] |= json.loads((stock / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    (stock / "pyodide-lock.json").write_text(json.dumps(lock, separators=(",", ":")), encoding="utf-8")
    shutil.copyfile(Path(__file__).with_name("stock_worker.js"), stock / "stock_worker.js")


@contextmanager
def _opened(context: BrowserContext, url: str) -> Iterator[Page]:
    page = context.new_page()
    page.add_init_script(SAVE_DATA)  # the engine starts on Train only: nothing overlaps with the page's own loading
    page.goto(url)
    yield page
    page.close()


def _ours(context: BrowserContext, url: str, ready: Callable[[], None] = lambda: None) -> float:
    """Milliseconds. `ready` is called when the page is at rest."""
    with _opened(context, f"{url}#epoch=40") as page:
        page.wait_for_selector("micro-trainer[data-observed$='@40']")
        ready()
        return float(page.evaluate(START_OURS))


def _stock(context: BrowserContext, url: str, ready: Callable[[], None] = lambda: None) -> float:
    """Milliseconds."""
    with _opened(context, f"{url}notices.txt") as page:  # a page without a trainer
        ready()
        return float(page.evaluate(START_STOCK, f"{url}{(STOCK / 'stock_worker.js').as_posix()}"))


def _alternate(context: BrowserContext, url: str, warm_up: int) -> dict[str, list[float]]:
    for _ in range(warm_up):
        _ours(context, url)
        _stock(context, url)
    return alternate({"ours": lambda: _ours(context, url), "stock": lambda: _stock(context, url)}, ROUNDS)


def _cold(browser: Browser, site: SlowSite) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Milliseconds, every time with empty caches; bytes of all bodies."""
    transferred = {}

    def measure(name: str, start: Callable[..., float]) -> float:
        context = browser.new_context()
        time = start(context, site.url, site.forget)
        transferred[name] = site.link.bytes
        context.close()
        return time

    contestants = {"ours": lambda: measure("ours", _ours), "stock": lambda: measure("stock", _stock)}
    return alternate(contestants, ROUNDS), transferred


def _first_move(browser: Browser, site: SlowSite) -> tuple[float, int]:
    """Milliseconds from the start of the navigation, and bytes of all bodies by then."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    site.forget()
    page = context.new_page()
    page.goto(f"{site.url}#train", wait_until="commit")
    time = float(page.evaluate(FIRST_MOVE))
    size = site.link.bytes
    context.close()
    return time, size


def _report(
    warm: dict[str, list[float]],
    cold: dict[str, list[float]],
    transferred: dict[str, int],
    moving: list[tuple[float, int]],
    copied: list[float],
) -> Iterator[str]:
    rows = []
    for name, times, goal in (
        ("warm HTTP cache, this machine", warm, 0.45),
        ("cold, 10 Mbit/s, 50 ms, brotli", cold, 0.5),
    ):
        ratio = spread(paired_ratio(times["ours"], times["stock"]))
        ours, stock = (spread([t / 1000 for t in times[who]]) for who in ("ours", "stock"))
        rows.append([name, ours, stock, ratio, f"≤ {goal}"])
    yield f"Engine ready, seconds: median (range) of {ROUNDS} rounds"
    yield table(["", "ours", "stock", "ours / stock", "goal"], rows)
    moved = median([time for time, _ in moving]) / 1000
    yield table(
        ["", "measured", "goal"],
        [
            ["engine, MB transferred", f"{transferred['ours'] / 1e6:.2f}", "≤ 4.6"],
            ["stock, MB transferred", f"{transferred['stock'] / 1e6:.2f}", ""],
            ["first picture of a link to the trainer that moves, s", f"{moved:.2f}", "≤ 1"],
            ["until then, kB transferred", f"{max(size for _, size in moving) / 1e3:.0f}", "≤ 300"],
            ["the offline copy, MB", f"{(DIST / offline.NAME).stat().st_size / 1e6:.2f}", ""],
            ["engine ready in the offline copy, s", spread([time / 1000 for time in copied]), ""],
        ],
    )


def _file_table(root: Path) -> str:
    """What the engine transfers."""
    rows = []
    for file in engine_files(root):
        data = (root / file["url"]).read_bytes()
        rows.append([file["name"], f"{len(data):,}", f"{len(brotli(data)):,}"])
    return table(["file of the engine, bytes", "as served", "brotli"], rows)
