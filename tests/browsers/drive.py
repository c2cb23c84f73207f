"""Run a scenario in Chromium or in the system's Firefox; see drive.mjs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

DRIVER = Path(__file__).with_name("drive.mjs")

LONGEST_S = 240
"""After this a browser has hung."""


@dataclass(frozen=True)
class Driven:
    """What a scenario returned, and what went wrong in the page or left it meanwhile."""

    result: Any
    problems: list[str]
    requests: list[str]


def program(browser: str) -> str:
    """The executable of "chrome" or "firefox"; without a Firefox the test is skipped."""
    if browser == "chrome":
        return os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
    found = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if not found:
        pytest.skip("There is no Firefox: install it, or name its program in the environment variable FIREFOX.")
    return found


def node() -> str:
    found = os.environ.get("NODE") or shutil.which("node")
    assert found, "Node is needed: put it on PATH, or name it in the environment variable NODE."
    return found


def drive(browser: str, url: str, scenario: Path) -> Driven:
    """Open the address in the browser and act out the scenario."""
    run = subprocess.run(
        [node(), DRIVER, browser, program(browser), url, scenario],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        timeout=LONGEST_S,
    )
    assert run.returncode == 0, f"The scenario {scenario.name} failed in {browser}; its messages are above."
    return Driven(**json.loads(run.stdout))
