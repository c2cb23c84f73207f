"""A real Chromium, the built site on a server of its own, and a watch over everything that a page does.

Nothing here sleeps: tests wait for a state that the page shows. `page.wait_for_function` is not used, because the
site's Content Security Policy allows no eval, which it needs.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright
from trainer_page import Open, TrainerPage, open_trainer, trainer_url, write_page_of_one

from web.build.project import DIST
from web.build.server import Site, serve_directory

ARGUMENTS = [
    "--no-sandbox",  # Chromium refuses to start its sandbox as root
    # A name that is not localhost: over plain HTTP, a page there has no cryptography.
    "--host-resolver-rules=MAP playground.test 127.0.0.1",
    # No traffic of the browser's own, so that what is left is the site's.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test in this folder opens a page."""
    for item in items:
        if item.path.parent.name == "site":
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    named = os.environ.get("HEADLESS_SHELL") or os.environ.get("CHROMIUM")
    path = named or shutil.which("chromium") or "/usr/bin/chromium"
    browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The built site, from a copy: a build that runs meanwhile does not change what is tested."""
    if not (DIST / "index.html").is_file():
        pytest.fail("dist/ has not been built; run `python3 build.py build`.")
    root = shutil.copytree(DIST, tmp_path_factory.mktemp("site") / "dist")
    write_page_of_one(root, "micro-trainer")
    with serve_directory(root) as server:
        yield server


@pytest.fixture
def open_article(browser: Browser, site: Site) -> Iterator[Open]:
    """Opens the article in a new context: `open_article("#causal", color_scheme="dark")`; see `open_trainer`."""
    with ExitStack() as pages:

        def open_article(fragment: str = "", **options: Any) -> TrainerPage:
            return pages.enter_context(open_trainer(browser, site.url + fragment, **options))

        yield open_article


@pytest.fixture
def open_page(browser: Browser, site: Site) -> Iterator[Open]:
    """Opens a page with nothing but the trainer: `open_page("#seed=3", reduced_motion="reduce")`."""
    with ExitStack() as pages:

        def open_page(fragment: str = "", **options: Any) -> TrainerPage:
            return pages.enter_context(open_trainer(browser, trainer_url(site) + fragment, **options))

        yield open_page
