"""What a course notebook does: install the wheel from the site's address with micropip, in a Pyodide of its own."""

from __future__ import annotations

from math import log

import pytest
from playwright.sync_api import Browser

from web.build.project import DIST
from web.build.server import Site


def test_micropip_installs_the_wheel_from_the_site(browser: Browser, site: Site) -> None:
    (wheel,) = DIST.glob("pyodide/microtransformer-*.whl")
    # The page's own policy is not a notebook's: it forbids the eval that Pyodide's main-thread interface needs.
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{site.url}notices.txt")  # any page of the site without a trainer
    page.add_script_tag(url=f"{site.url}pyodide/pyodide.js")
    ce = page.evaluate(
        """async ([base, wheel]) => {
          const pyodide = await loadPyodide({ indexURL: base });
          await pyodide.loadPackage("micropip", { messageCallback: () => {} });
          return pyodide.runPythonAsync(`
import micropip
await micropip.install("${wheel}")
from microtransformer import limits
limits.bayes_limit("reverse", "causal").ce
`);
        }""",
        [f"{site.url}pyodide/", f"{site.url}pyodide/{wheel.name}"],
    )
    context.close()
    assert ce == pytest.approx(log(8) / 2, abs=1e-12)
    assert f"{site.url}pyodide/{wheel.name}" in requests
    assert [url for url in requests if not url.startswith((site.url, "blob:", "data:"))] == []
