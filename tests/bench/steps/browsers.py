"""Contestants in web workers: a copy of the built site with the benchmark's page, opened in Chromium and in Firefox."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import sync_playwright

from tests.bench.engine_files import engine_files
from web.build.environment import node, node_env
from web.build.project import DIST, ROOT, WEB, run
from web.build.server import Site, serve_directory

from .case import Case
from .contestants import WARM

BENCH = ROOT / "tests" / "bench"
SOURCES = BENCH / "web"
TENSORFLOW = BENCH / "node_modules" / "@tensorflow" / "tfjs-backend-wasm" / "dist"
INSIDE = ("pace.py", "tally.py")
"""Modules of this folder that also run in Pyodide."""


class Page(Protocol):
    """An open page of the benchmark, with workers by name."""

    def ask(self, name: str, script: str, method: str, *args: Any) -> Any:
        """Call a worker; the first call starts it."""


@contextmanager
def bench_site() -> Iterator[Site]:
    """The built site with the benchmark's page at bench/, served with the site's own headers."""
    with tempfile.TemporaryDirectory(prefix="transformer-bench-") as scratch:
        root = Path(shutil.copytree(DIST, Path(scratch) / "site"))
        esbuild = WEB / "node_modules" / "esbuild" / "bin" / "esbuild"
        scripts = [SOURCES / f"{name}.js" for name in ("page", "python_worker", "tf_worker")]
        options = [
            "--bundle",
            "--minify",
            "--format=iife",
            "--target=es2022",
            "--loader:.py=text",
            "--log-level=warning",
        ]
        run(
            [node(), esbuild, *scripts, *options, f"--outdir={root / 'bench'}"],
            doing="Bundling the benchmark's workers",
            env={**node_env(), "NODE_PATH": str(WEB / "node_modules")},
        )
        (root / "bench" / "index.html").write_text(
            '<!doctype html><meta charset="utf-8"><title>Benchmark</title><script src="page.js"></script>', "utf-8"
        )
        for build in TENSORFLOW.glob("*.wasm"):
            shutil.copy(build, root / "bench")
        with serve_directory(root) as site:
            yield site


@contextmanager
def chromium(site: Site) -> Iterator[Page]:
    """The page in Chromium."""

    class ChromiumPage:
        def ask(self, *call: Any) -> Any:
            name, script, method, *args = call
            return page.evaluate("call => ask(...call)", [name, script, method, args])

    with sync_playwright() as api:
        browser = api.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{site.url}bench/")
        yield ChromiumPage()
        browser.close()


@contextmanager
def firefox(site: Site, program: str) -> Iterator[Page]:
    """The page in Firefox, which Node drives."""
    driver = ROOT / "tests" / "browsers" / "drive.mjs"
    command = [str(part) for part in (node(), driver, "firefox", program, f"{site.url}bench/", SOURCES / "calls.mjs")]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **node_env()}
    )
    assert process.stdin and process.stdout
    stdin, stdout = process.stdin, process.stdout

    class FirefoxPage:
        def ask(self, *call: Any) -> Any:
            name, script, method, *args = call
            stdin.write(json.dumps([name, script, method, args]) + "\n")
            stdin.flush()
            answer = json.loads(stdout.readline() or '{"error": "Firefox could not be started or has ended."}')
            if "error" in answer:
                raise RuntimeError(answer["error"])
            return answer["value"]

    try:
        yield FirefoxPage()
    finally:
        stdin.close()
        process.wait()


class _InWorker:
    """Calls of a contestant, passed on to its worker."""

    script: str

    def __init__(self, page: Page, *boot: Any) -> None:
        self._page = page
        self._name = f"{type(self).__name__} {id(self)}"
        self.booted = self._ask("boot", *boot)

    def _ask(self, method: str, *args: Any) -> Any:
        return self._page.ask(self._name, self.script, method, *args)

    def losses(self, steps: int) -> list[float]:
        return list(self._ask("losses", steps))

    def seconds(self, steps: int) -> float:
        return float(self._ask("seconds", steps, min(WARM, steps)))


class InPyodide(_InWorker):
    """The package in Pyodide: as the page runs it, or with Pyodide's own start, standard library and loops."""

    script = "python_worker.js"

    def __init__(self, page: Page, site: Site, stock: bool = False) -> None:
        files = None if stock else [{**file, "url": site.url + file["url"]} for file in engine_files(DIST)]
        sources = {name: (Path(__file__).parent / name).read_text("utf-8") for name in INSIDE}
        super().__init__(page, f"{site.url}pyodide/", files, sources)
        if not stock and (not self.booted["on"] or self.booted["refused"]):
            raise RuntimeError(f"The page's SIMD loops are not all at work: {self.booted}.")

    def prepare(self, case: Case) -> None:
        self._ask("prepare", case.settings)

    def profile(self, steps: int) -> dict[str, list[float]]:
        """`profile` in tally.py."""
        return dict(self._ask("profile", steps))


class TensorFlowJs(_InWorker):
    """TensorFlow.js with its WebAssembly backend, SIMD build."""

    script = "tf_worker.js"

    def __init__(self, page: Page, site: Site) -> None:
        super().__init__(page, f"{site.url}bench/")

    def prepare(self, case: Case) -> None:
        self._ask("prepare", case.exported())
