"""The wheel of microtransformer: the same bytes for the same sources, so that its hash names its content."""

from __future__ import annotations

import shutil
from pathlib import Path

from web.build.environment import PYTHON
from web.build.project import PYLIB, ROOT, WORK, BuildError, run
from web.build.stamps import step

FOLDER = WORK / "wheel"
# Time stamp of every file in the wheel; any fixed date does (ZIP has none before 1980).
SOURCE_DATE_EPOCH = "1577836800"


def ensure_wheel() -> Path:
    """Build the wheel if its sources have changed; its path."""
    step(
        "wheel",
        inputs=[PYLIB, ROOT / "pyproject.toml", ROOT / "README.md", SOURCE_DATE_EPOCH],
        outputs=[FOLDER],
        action=_build,
    )
    wheels = list(FOLDER.glob("*.whl"))
    if len(wheels) != 1:
        raise BuildError(f"Expected one wheel in {FOLDER}, found {len(wheels)}. Delete the folder and build again.")
    return wheels[0]


def _build() -> None:
    for needed in (PYLIB / "microtransformer" / "__init__.py", ROOT / "README.md", PYLIB / "LICENSE"):
        if not needed.exists():
            raise BuildError(f"The wheel cannot be built: {needed.relative_to(ROOT)} is missing.")
    shutil.rmtree(FOLDER, ignore_errors=True)
    run(
        [PYTHON, "-m", "hatchling", "build", "--target", "wheel", "--directory", FOLDER],
        doing="Building the wheel",
        env={"SOURCE_DATE_EPOCH": SOURCE_DATE_EPOCH},
    )
