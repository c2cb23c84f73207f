"""notices.txt: the licence of everything the site ships, taken from the packages themselves where they carry it."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

from web.build.project import ROOT, WEB, BuildError
from web.build.runtime import manifest

MODULES, TEXTS = WEB / "node_modules", WEB / "licences"


def notices(packages: list[Path]) -> str:
    """The whole text; `packages` are the wheels that the site ships."""
    ours = ("The Transformer playground and microtransformer", "MIT", (ROOT / "pylib" / "LICENSE").read_text("utf-8"))
    micropip = _from_wheel(packages, "micropip")
    pyodide = manifest()["pyodide"]
    parts = [
        ours,
        (f"Pyodide {pyodide}, unchanged; source: github.com/pyodide/pyodide", "MPL-2.0", micropip),
        ("micropip, unchanged; source: github.com/pyodide/micropip", "MPL-2.0", "As Pyodide, above."),
        (
            "Python (interpreter, unchanged inside Pyodide; standard library, for the page compiled in part)",
            "PSF-2.0",
            _text("python"),
        ),
        ("Emscripten (run-time library, inside Pyodide)", "MIT", _text("emscripten")),
        (
            f"NumPy {manifest()['numpy']}, unchanged; for the page compiled in part",
            "BSD-3-Clause",
            _from_wheel(packages, "numpy"),
        ),
        (f"Comlink {_npm_version('comlink')}", "Apache-2.0", _from_npm("comlink")),
        (
            f"STIX Two Math {_npm_version('@fontsource/stix-two-math')}, cut down to the characters of the formulas",
            "OFL-1.1",
            _from_npm("@fontsource/stix-two-math"),
        ),
        (f"xz-decompress {_npm_version('xz-decompress')}, in the offline copy", "MIT", _text("xz-decompress")),
        (f"uPlot {_npm_version('uplot')}", "MIT", _from_npm("uplot")),
    ]
    return "\n\n".join(
        f"{'=' * 100}\n{title}\n{licence}\n{'=' * 100}\n\n{body.strip()}" for title, licence, body in parts
    )


def _text(name: str) -> str:
    return (TEXTS / f"{name}.txt").read_text(encoding="utf-8")


def _from_npm(package: str) -> str:
    return (MODULES / package / "LICENSE").read_text(encoding="utf-8")


def _npm_version(package: str) -> str:
    return str(json.loads((MODULES / package / "package.json").read_text(encoding="utf-8"))["version"])


def _from_wheel(packages: list[Path], name: str) -> str:
    """The licence file in the wheel's metadata folder."""
    wheel = next(path for path in packages if path.name.startswith(f"{name}-"))
    with ZipFile(wheel) as archive:
        for member in archive.namelist():
            folder, _, file = member.rpartition("/")
            if ".dist-info" in folder and file.startswith("LICENSE"):
                return archive.read(member).decode()
    raise BuildError(f"{wheel.name} carries no licence text in its metadata; notices.txt needs it.")
