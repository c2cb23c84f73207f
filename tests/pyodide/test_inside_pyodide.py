"""The unit suite passes inside Pyodide too, with the wheel and the SIMD loops that the site ships; so do theirs.

There the default integer has 32 bits, NumPy has no BLAS, and the floating-point flags do not exist.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "dist"
WHEELS = ROOT / ".build" / "pyodide-tests"
RUNNER = Path(__file__).with_name("run_tests.mjs")

HYPOTHESIS = "hypothesis==6.155.7"
"""The newest with a wheel in pure Python; from 6.156 on a part of it is compiled, and not for WebAssembly."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.pyodide,
    pytest.mark.skipif(
        not (SITE / "index.html").is_file(), reason="dist/ has not been built; run `python3 build.py build`."
    ),
]


def requirements() -> list[str]:
    """pytest as pinned in pyproject.toml, and Hypothesis."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        pins = tomllib.load(file)["project"]["optional-dependencies"]["test"]
    return [*(pin for pin in pins if pin.startswith("pytest==")), HYPOTHESIS]


def wheels() -> Path:
    """A folder with the wheels of the requirements and all they need, downloaded once."""
    folder = WHEELS / "_".join(requirements())
    if not folder.is_dir():
        unfinished = folder.with_name("unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
            + ["--only-binary=:all:", "--python-version=3.13", "--implementation=py", "--abi=none", "--platform=any"]
            + [f"--dest={unfinished}", *requirements()],
            check=True,
        )
        unfinished.rename(folder)
    return folder


def node() -> str:
    found = os.environ.get("NODE") or shutil.which("node")
    assert found, "Node is needed: put it on PATH, or name it in the environment variable NODE."
    return found


def outcomes(report: Path) -> dict[str, int]:
    """How many test cases of a JUnit report passed, failed or were skipped."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in ElementTree.parse(report).iter("testcase"):
        verdicts = {child.tag for child in case}
        counts["failed" if verdicts & {"failure", "error"} else "skipped" if "skipped" in verdicts else "passed"] += 1
    return counts


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
