"""The unit suite passes inside Pyodide too, with the wheel and the SIMD loops that the site ships; so do theirs.

There the default integer has 32 bits, NumPy has no BLAS, and the floating-point flags do not exist.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.browsers.drive import node
from tests.pyodide.kit import ROOT, SITE, needs_site, outcomes, wheels

RUNNER = Path(__file__).with_name("run_tests.mjs")

pytestmark = [pytest.mark.slow, pytest.mark.pyodide, needs_site]


def run_inside(report: Path, *arguments: str) -> dict[str, int]:
    """Run pytest in Pyodide; how many tests passed, failed and were skipped."""
    run = subprocess.run(
        [node(), RUNNER, SITE, wheels(), ROOT, report, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    print(run.stdout)  # pytest shows it if anything below fails
    assert run.returncode == 0
    counts = outcomes(report)
    assert counts["failed"] == 0
    return counts


def test_the_loops_compute_what_numpy_does(tmp_path: Path) -> None:
    counts = run_inside(tmp_path / "report.xml", "tests/pyodide/inside")
    assert counts["passed"] > 30
    assert counts["skipped"] == 0


def test_the_unit_suite_passes_inside_pyodide(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    counts = run_inside(report, "tests/unit")
    # Only what needs PyTorch or takes minutes is left out: nearly everything must really have run.
    assert counts["passed"] > 20 * counts["skipped"] > 0
    modules = {path.stem for path in (ROOT / "tests" / "unit").glob("test_*.py")} - {"test_parity"}
    ran = {case.get("classname", "").rpartition(".")[2] for case in ElementTree.parse(report).iter("testcase")}
    assert modules <= ran
