"""The engine's packs: what it uses of Python, NumPy and our package, compiled beforehand by packs.mjs."""

from __future__ import annotations

import shutil
from pathlib import Path
from zipfile import ZipFile

from web.build.environment import node, node_env
from web.build.project import ROOT, WEB, WORK, run
from web.build.runtime import MANIFEST
from web.build.stamps import step

SCRIPT = WEB / "build" / "packs.mjs"
FORMAT = [WEB / "src" / "engine" / "worker" / name for name in ("pack.js", "unpack.js")]
FOLDER = WORK / "packs"
NAMES = ("python_stdlib.wasm", "numpy.wasm", "microtransformer.wasm")


def ensure_packs(runtime: Path, numpy: Path, our_wheel: Path) -> list[Path]:
    """Make them if the runtime or our package has changed; `runtime` is a folder with all of Pyodide's files."""
    packs = [FOLDER / name for name in NAMES]
    inputs = [SCRIPT, *FORMAT, MANIFEST, our_wheel]  # the manifest has NumPy's hash
    step("packs", inputs=inputs, outputs=packs, action=lambda: _make(runtime, [numpy, our_wheel]))
    return packs


def _make(runtime: Path, wheels: list[Path]) -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    packages = FOLDER / "packages"
    for wheel in wheels:
        with ZipFile(wheel) as archive:
            archive.extractall(packages)
    run([node(), SCRIPT, runtime, packages, FOLDER], doing="Compiling Python's modules", cwd=ROOT, env=node_env())
    shutil.rmtree(packages)
