"""The SIMD loops compute what NumPy does in the browsers that readers have, not only in Node.

Each browser compiles the loops with a compiler of its own, and Firefox's is not V8's.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.browsers.drive import drive, node
from tests.pyodide.kit import ROOT, SITE, needs_site, outcomes, wheels
from web.build.server import serve_directory

HERE = Path(__file__).parent
ESBUILD = ROOT / "web" / "node_modules" / "esbuild" / "bin" / "esbuild"

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Tests</title><link rel="icon" href="data:,">
<body><pre></pre><script type="module" src="page.js"></script></body></html>
"""

pytestmark = [pytest.mark.slow, pytest.mark.pyodide, pytest.mark.browser, needs_site]


@pytest.fixture(scope="module")
def test_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page that runs pytest in a worker, beside the files of the built site that it needs."""
    root = tmp_path_factory.mktemp("test-site")
    shutil.copytree(SITE / "pyodide", root / "pyodide")
    shutil.copytree(wheels(), root / "wheels")
    for simd in ("relaxed", "fixed"):
        shutil.copy(next((SITE / "assets").glob(f"loops-{simd}-*.wasm")), root / f"loops-{simd}.wasm")
    shutil.copy(HERE / "browser_page.js", root / "page.js")
    shutil.copy(ROOT / "web" / "simd" / "support.js", root)
    (root / "index.html").write_text(PAGE, encoding="utf-8")
    worker = [HERE / "browser_worker.js", "--bundle", "--format=iife", "--loader:.py=text", "--log-level=warning"]
    subprocess.run([node(), ESBUILD, *worker, f"--outfile={root / 'worker.js'}"], check=True)
    with ZipFile(root / "tests.zip", "w") as archive:
        for file in [ROOT / "pyproject.toml", *sorted((HERE / "inside").glob("*.py"))]:
            archive.write(file, file.relative_to(ROOT))
    settings = {
        "base": "pyodide/",
        "tests": "tests.zip",
        "wheels": [f"wheels/{file.name}" for file in sorted((root / "wheels").iterdir())],
        "pytestArguments": ["tests/pyodide/inside", "--hypothesis-profile=browser"],
    }
    (root / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return root


@pytest.mark.parametrize("browser", ["chrome", "firefox"])
def test_the_loops_compute_what_numpy_does(browser: str, test_site: Path, tmp_path: Path) -> None:
    with serve_directory(test_site) as site:
        driven = drive(browser, site.url, HERE / "browser_scenario.mjs")
    print(driven.result["report"])  # pytest shows it if anything below fails
    assert driven.problems == []
    assert driven.result["code"] == 0
    report = tmp_path / "report.xml"
    report.write_text(driven.result["report"], encoding="utf-8")
    counts = outcomes(report)
    assert counts["failed"] == counts["skipped"] == 0
    assert counts["passed"] > 30
