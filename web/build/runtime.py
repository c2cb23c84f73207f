"""The runtime's files (Pyodide, NumPy, micropip): fetched from the first source that works, always verified.

Verified files are kept outside the tree, in folders named by their hash: a clean checkout refetches nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from web.build import sources
from web.build.project import WEB, BuildError, say

MANIFEST = WEB / "build" / "runtime.json"


@dataclass(frozen=True)
class RuntimeFile:
    """One entry of runtime.json."""

    name: str
    role: str  # "script", "wasm", "stdlib", "package", or "full-lock", which is not shipped
    bytes: int
    sha256: str
    sources: tuple[dict[str, str], ...]  # in the order in which they are tried

    @property
    def cached(self) -> Path:
        """Where a verified copy is kept, and where a user may put one by hand."""
        return cache_folder() / self.sha256 / self.name


def cache_folder() -> Path:
    """$TRANSFORMER_CACHE, or `transformer-playground` in the user's cache folder."""
    if chosen := os.environ.get("TRANSFORMER_CACHE"):
        return Path(chosen).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base).expanduser().absolute() / "transformer-playground"


@cache
def manifest() -> dict[str, Any]:
    """The parsed runtime.json."""
    parsed: dict[str, Any] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return parsed


def runtime_files() -> list[RuntimeFile]:
    """Every file of the manifest."""
    return [RuntimeFile(**{**entry, "sources": tuple(entry["sources"])}) for entry in manifest()["files"]]


def ensure_runtime() -> dict[str, Path]:
    """Name -> path of a verified copy, for every file of the manifest."""
    with tempfile.TemporaryDirectory(prefix="transformer-playground-") as scratch:
        fetcher = sources.Fetcher(Path(scratch))
        return {file.name: obtain(file, fetcher) for file in runtime_files()}


def obtain(file: RuntimeFile, fetcher: sources.Fetcher) -> Path:
    """A verified copy of one file: from the cache, or else from its sources in order."""
    if file.cached.is_file():
        problem = _problem(file, file.cached.read_bytes())
        if not problem:
            return file.cached
        say(f"  runtime: the cached copy of {file.name} is discarded, because {problem}.")
        file.cached.unlink()
    tried = []
    for source in file.sources:
        label = sources.label(source)
        try:
            data = fetcher.read(source, file)
        except sources.SourceError as error:
            tried.append(f"{label}: {error}")
            continue
        problem = _problem(file, data)
        if problem:
            hint = " (delete web/node_modules to have it installed anew)" if "npm" in source else ""
            tried.append(f"{label}: it was refused, because {problem}{hint}")
            continue
        if "npm" in source:  # already on this disk, no second copy needed
            return sources.npm_path(source)
        _store(file.cached, data)
        say(f"  runtime: {file.name} from {label}, {file.bytes / 1e6:.1f} MB, SHA-256 verified")
        return file.cached
    raise BuildError(
        f"The runtime file {file.name} could not be obtained. These sources were tried:\n"
        + "".join(f"  - {line}.\n" for line in tried)
        + "Run the command again with a connection to the internet, "
        + f"or put the file whose SHA-256 is {file.sha256} at {file.cached}."
    )


def _problem(file: RuntimeFile, data: bytes) -> str:
    """Why these bytes are not the file; empty if they are."""
    digest = hashlib.sha256(data).hexdigest()
    if digest == file.sha256:
        return ""
    size = "" if len(data) == file.bytes else f" and it has {len(data)} bytes instead of {file.bytes}"
    return f"its SHA-256 is {digest[:16]}… instead of {file.sha256[:16]}…{size}"


def _store(target: Path, data: bytes) -> None:
    """Write the whole file or nothing, even when two builds store it at once."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as part:
            part.write(data)
        Path(part.name).chmod(0o644)
        os.replace(part.name, target)
    except OSError as error:
        raise BuildError(
            f"The cache folder {cache_folder()} cannot be written ({error.strerror}). "
            "Set the environment variable TRANSFORMER_CACHE to a folder that can."
        ) from None
