"""Write the site's pyodide-lock.json: exactly the packages that the site ships, with their hashes.

Runs in the venv: python web/build/lock.py FULL_LOCK OUT OUR_WHEEL RUNTIME_WHEEL…
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from pyodide_lock import PyodideLockSpec
from pyodide_lock.utils import add_wheels_to_spec


def slim_lock(full: PyodideLockSpec, ours: Path, shipped: list[Path]) -> PyodideLockSpec:
    """The part of Pyodide's own lock that `shipped` covers, plus our wheel.

    Stops when a wheel is not, by name or by hash, the one that this Pyodide was released with, or when a
    package needs another one that the site does not ship.
    """
    by_file = {package.file_name: (key, package) for key, package in full.packages.items()}
    packages = {}
    for wheel in shipped:
        if wheel.name not in by_file:
            sys.exit(f"Pyodide {full.info.version} lists no {wheel.name}; correct web/build/runtime.json.")
        key, package = by_file[wheel.name]
        if hashlib.sha256(wheel.read_bytes()).hexdigest() != package.sha256:
            sys.exit(f"{wheel.name} is not the file that Pyodide was released with, its SHA-256 differs.")
        packages[key] = package
    slim = add_wheels_to_spec(PyodideLockSpec(info=full.info, packages=packages), [ours])
    for package in slim.packages.values():
        for needed in package.depends:
            if needed not in slim.packages:
                sys.exit(f"{package.name} needs {needed}, which the site does not ship; add it to runtime.json.")
    slim.check_wheel_filenames()
    return slim


if __name__ == "__main__":
    full_lock, out, our_wheel, *runtime_wheels = map(Path, sys.argv[1:])
    slim_lock(PyodideLockSpec.from_json(full_lock), our_wheel, runtime_wheels).to_json(out)
