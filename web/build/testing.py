"""Run the tests and the static checks in the venv."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from web.build.browser import ensure_chromium, ensure_firefox, find_headless_shell
from web.build.environment import PYTHON, ensure_node_packages, ensure_venv, node, node_env, python_env
from web.build.project import ROOT, WEB, exclusive, say

# Tests that run in CPython; all others may open a page.
WITHOUT_BROWSER = ROOT / "tests" / "unit"

# A worker gets whole files: tests of a file share pages and runs.
TWO_WORKERS = ["--numprocesses=2", "--dist=loadfile", "--no-loadscope-reorder"]


def paths(arguments: Sequence[str]) -> list[Path]:
    """The files and folders that pytest is told to run."""
    names = [argument.split("::")[0] for argument in arguments if not argument.startswith("-")]
    return [(ROOT / name).resolve() for name in names if (ROOT / name).exists()]


def needs_browser(arguments: Sequence[str]) -> bool:
    """Whether pytest may run a test that opens a page: no path is given, or one outside WITHOUT_BROWSER."""
    chosen = paths(arguments)
    return not chosen or not all(path.is_relative_to(WITHOUT_BROWSER) for path in chosen)


def workers(arguments: Sequence[str]) -> list[str]:
    """Two for all tests or a folder of them. A few files are done sooner by one, and a debugger needs one."""
    one = sys.platform == "win32" or "--pdb" in arguments or any(path.is_file() for path in paths(arguments))
    return [] if one else TWO_WORKERS


def run_tests(arguments: Sequence[str], parity: bool) -> int:
    """pytest's exit code. Nothing is printed after pytest's own summary."""
    with exclusive():
        ensure_venv(["test", "parity"] if parity else ["test"])
    environment = {**os.environ, **node_env(), **python_env(), "NODE": str(node())}
    if needs_browser(arguments):
        environment["CHROMIUM"] = ensure_chromium()
        if shell := find_headless_shell():
            environment["HEADLESS_SHELL"] = shell
        if firefox := ensure_firefox():
            environment["FIREFOX"] = firefox
    pytest: list[str | Path] = [PYTHON, "-m", "pytest", *workers(arguments), *arguments]
    return subprocess.run(pytest, cwd=ROOT, env=environment).returncode


def run_checks() -> int:
    """Lint, format and types of Python and JavaScript; 0 if all pass. All run, side by side, and all are shown."""
    with exclusive():
        ensure_venv(["dev"])
        ensure_node_packages()
    tsc: list[str | Path] = [node(), WEB / "node_modules" / "typescript" / "bin" / "tsc", "-p"]
    checks: dict[str, list[str | Path]] = {
        "ruff check": [PYTHON, "-m", "ruff", "check", "."],
        "ruff format --check": [PYTHON, "-m", "ruff", "format", "--check", "."],
        "mypy": [PYTHON, "-m", "mypy"],
        "tsc, page": [*tsc, WEB / "tsconfig.json"],
        "tsc, worker": [*tsc, WEB / "tsconfig.worker.json"],
        "tsc, benchmarks": [*tsc, ROOT / "tests" / "bench" / "web" / "tsconfig.json"],
    }
    failed = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, done in zip(checks, pool.map(_check, checks.values()), strict=True):
            say(f"-- {name}")
            if done.stdout:
                say(done.stdout.rstrip())
            if done.returncode:
                failed.append(name)
    say(f"Checks failed: {', '.join(failed)}." if failed else "All checks passed.")
    return 1 if failed else 0


def _check(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run a check to its end, and keep what it says."""
    env = {**os.environ, **node_env()}
    return subprocess.run(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
