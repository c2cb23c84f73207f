"""What pytest inside Pyodide needs, and how its report reads."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from web.build.project import exclusive

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "dist"
WHEELS = ROOT / ".build" / "pyodide-tests"

HYPOTHESIS = "hypothesis==6.155.7"
"""The newest with a wheel in pure Python; from 6.156 on a part of it is compiled, and not for WebAssembly."""

needs_site = pytest.mark.skipif(
    not (SITE / "index.html").is_file(), reason="dist/ has not been built; run `python3 build.py build`."
)


def requirements() -> list[str]:
    """pytest as pinned in pyproject.toml, and Hypothesis."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        pins = tomllib.load(file)["project"]["optional-dependencies"]["test"]
    return [*(pin for pin in pins if pin.startswith("pytest==")), HYPOTHESIS]


def wheels() -> Path:
    """A folder with the wheels of the requirements and all they need, downloaded once."""
    folder = WHEELS / "_".join(requirements())
    with exclusive():  # two workers may ask at once
        if not folder.is_dir():
            unfinished = folder.with_name("unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
                + ["--only-binary=:all:", "--python-version=3.13", "--implementation=py", "--abi=none"]
                + ["--platform=any", f"--dest={unfinished}", *requirements()],
                check=True,
            )
            unfinished.rename(folder)
    return folder


def outcomes(report: Path) -> dict[str, int]:
    """How many test cases of a JUnit report passed, failed or were skipped."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in ElementTree.parse(report).iter("testcase"):
        verdicts = {child.tag for child in case}
        counts["failed" if verdicts & {"failure", "error"} else "skipped" if "skipped" in verdicts else "passed"] += 1
    return counts
