"""Run the tests and the static checks in the venv."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from web.build.browser import ensure_chromium, ensure_firefox
from web.build.environment import PYTHON, ensure_node_packages, ensure_venv, node, node_env, python_env
from web.build.project import ROOT, WEB, exclusive, say

# Tests that run in CPython; all others may open a page.
WITHOUT_BROWSER = ROOT / "tests" / "unit"


def needs_browser(arguments: Sequence[str]) -> bool:
    """Whether pytest may run a test that opens a page: no path is given, or one outside WITHOUT_BROWSER."""
    paths = [Path(name) for name in (argument.split("::")[0] for argument in arguments)]
    paths = [(ROOT / path).resolve() for path in paths if not str(path).startswith("-") and (ROOT / path).exists()]
    return not paths or not all(path.is_relative_to(WITHOUT_BROWSER) for path in paths)


def run_tests(arguments: Sequence[str], parity: bool) -> int:
    """pytest's exit code. Nothing is printed after pytest's own summary."""
    with exclusive():
        ensure_venv(["test", "parity"] if parity else ["test"])
    environment = {**os.environ, **node_env(), **python_env(), "NODE": str(node())}
    if needs_browser(arguments):
        environment["CHROMIUM"] = ensure_chromium()
        if firefox := ensure_firefox():
            environment["FIREFOX"] = firefox
    return subprocess.run([PYTHON, "-m", "pytest", *arguments], cwd=ROOT, env=environment).returncode


def run_checks() -> int:
    """Lint, format and types of Python and JavaScript; 0 if all pass. All run, so that one run shows all."""
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
    for name, command in checks.items():
        say(f"-- {name}")
        if subprocess.run(command, cwd=ROOT, env={**os.environ, **node_env()}).returncode:
            failed.append(name)
    say(f"Checks failed: {', '.join(failed)}." if failed else "All checks passed.")
    return 1 if failed else 0
