"""Incremental steps: a step runs only when its inputs or its outputs differ from those of its last run."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from web.build.project import ROOT, WORK, relative, say

IGNORED = {"__pycache__", ".DS_Store"}


def files_of(path: Path) -> Iterator[Path]:
    """The file itself, or every file below the folder in a fixed order."""
    if path.is_file():
        yield path
    elif path.is_dir():
        for child in sorted(path.iterdir()):
            if child.name not in IGNORED:
                yield from files_of(child)


def fingerprint(*parts: Path | str) -> str:
    """One hash for the contents of files and folders, and for plain strings such as versions."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            digest.update(f"text {len(part)}\n{part}\n".encode())
            continue
        digest.update(f"path {relative(part)}\n".encode())
        for file in files_of(part):
            data = file.read_bytes()
            digest.update(f"file {file.relative_to(ROOT).as_posix()} {len(data)}\n".encode())
            digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


def step(
    name: str,
    *,
    inputs: Sequence[Path | str],
    outputs: Sequence[Path],
    action: Callable[[], None],
    announce: str = "",
) -> bool:
    """Run `action` unless nothing has changed since it last succeeded; say which; return whether it ran.

    Outputs are hashed as well, so that a deleted or edited output is made again. `announce` is printed
    before a step long enough to make a user wonder.
    """
    stamp = WORK / "stamps" / f"{name.replace(' ', '-')}.json"
    wanted = fingerprint(*inputs)
    if all(path.exists() for path in outputs):
        try:
            known = json.loads(stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            known = None
        if known == {"inputs": wanted, "outputs": fingerprint(*outputs)}:
            return False
    if announce:
        say(f"  {name}: {announce} …")
    started = time.perf_counter()
    stamp.unlink(missing_ok=True)  # an interrupted step must run again
    action()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(json.dumps({"inputs": wanted, "outputs": fingerprint(*outputs)}), encoding="utf-8")
    say(f"  {name}: done in {time.perf_counter() - started:.1f} s")
    return True
