"""The engine's standard library: what of Python's it uses, compiled beforehand by stdlib.mjs."""

from __future__ import annotations

from pathlib import Path

from web.build.environment import node, node_env
from web.build.project import ROOT, WEB, WORK, run
from web.build.runtime import MANIFEST
from web.build.stamps import step

SCRIPT = WEB / "build" / "stdlib.mjs"
FOLDER = WORK / "stdlib"
ARCHIVE = FOLDER / "stdlib.zip"


def ensure_stdlib(runtime: Path, our_wheel: Path) -> Path:
    """Compile it if the runtime or our package has changed; `runtime` is a folder with all of Pyodide's files."""
    step("standard library", inputs=[SCRIPT, MANIFEST, our_wheel], outputs=[ARCHIVE], action=lambda: _compile(runtime))
    return ARCHIVE


def _compile(runtime: Path) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    run([node(), SCRIPT, runtime, ARCHIVE], doing="Compiling the standard library", cwd=ROOT, env=node_env())
