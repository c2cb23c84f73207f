"""Run the benchmarks in the venv."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from web.build.browser import ensure_chromium, ensure_firefox
from web.build.environment import PYTHON, ensure_node_packages, ensure_venv, node, node_env, python_env
from web.build.project import ROOT, exclusive


def run_benchmarks(arguments: Sequence[str]) -> int:
    """Exit code of tests/bench, after everything it needs has been installed."""
    with exclusive():
        ensure_venv(["test", "parity"])  # Playwright; PyTorch, one of the contestants
        ensure_node_packages(ROOT / "tests" / "bench")  # TensorFlow.js, another
    environment = {**os.environ, **node_env(), **python_env(), "NODE": str(node()), "CHROMIUM": ensure_chromium()}
    if firefox := ensure_firefox():
        environment["FIREFOX"] = firefox
    return subprocess.run([PYTHON, "-m", "tests.bench", *arguments], cwd=ROOT, env=environment).returncode
