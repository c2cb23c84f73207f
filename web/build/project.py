"""Where things are, how to speak to the user, how to run a command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
PYLIB = ROOT / "pylib"
VENV = ROOT / ".venv"
WORK = ROOT / ".build"  # everything between sources and dist/
DIST = ROOT / "dist"


class BuildError(Exception):
    """An expected failure. The message is for the user: what was wrong and what to do."""


def say(text: str) -> None:
    """Print one line at once, so that it appears before a long step and not after it."""
    print(text, flush=True)


def relative(path: Path) -> str:
    """The path as a user in the project's folder would type it."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


@cache
def pyproject() -> dict[str, Any]:
    """The parsed pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def run(
    command: Sequence[str | Path],
    *,
    doing: str,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    show: bool = False,
) -> None:
    """Run a command; `env` is added to ours. Its output is shown live, or only when it fails.

    `doing` begins the sentence "… failed." for the user, for instance "Installing Node packages".
    """
    code, output = execute(command, doing=doing, cwd=cwd, env=env, show=show)
    if code:
        tail = "\n".join(output.rstrip().splitlines()[-30:])
        shown = "See the messages above." if show else f"Its last messages were:\n{tail}"
        raise BuildError(f"{doing} failed with exit code {code}. {shown}")


def execute(
    command: Sequence[str | Path],
    *,
    doing: str,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    show: bool = False,
) -> tuple[int, str]:
    """Exit code and output of a command. On a terminal, the seconds count up while a hidden command runs."""
    started = time.perf_counter()
    ticking = sys.stdout.isatty() and not show
    try:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdout=None if show else subprocess.PIPE,
            stderr=None if show else subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise BuildError(f"{doing} failed: {command[0]} could not be started ({error}).") from None
    try:
        while True:
            try:
                output, _ = process.communicate(timeout=1)
                return process.returncode, output or ""
            except subprocess.TimeoutExpired:
                if ticking:
                    print(f"\r  {doing}: {time.perf_counter() - started:.0f} s", end="", flush=True)
    finally:
        if process.poll() is None:  # Ctrl-C
            process.kill()
            process.wait()
        if ticking:
            print("\r\x1b[K", end="", flush=True)


@contextmanager
def exclusive() -> Iterator[None]:
    """Let one build at a time work in this checkout; a second one waits for the first."""
    WORK.mkdir(exist_ok=True)
    with (WORK / "lock").open("w") as handle:
        if sys.platform != "win32":  # there, two builds at once are left to the user's care
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("Another build is running in this folder; waiting for it to end.")
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
