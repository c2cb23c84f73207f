"""The recorded runs, which the page replays before the live engine is there; record.py makes them."""

from __future__ import annotations

import json
import shutil

from web.build.environment import PYTHON, package_inputs, python_env
from web.build.project import WEB, WORK, BuildError, run
from web.build.stamps import step

SCRIPT = WEB / "build" / "record.py"
FOLDER = WORK / "recorded"


def ensure_recordings() -> None:
    """Train the default runs if the package or the script has changed; .build/recorded/<task>-<mask>.json."""
    if not SCRIPT.exists():
        raise BuildError("web/build/record.py is missing: it trains the runs that the page shows first.")
    step(
        "recorded runs",
        inputs=[*package_inputs(), SCRIPT],
        outputs=[FOLDER],
        action=_record,
        announce="training the default runs",
    )


def _record() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    # -P: the script's own folder stays off sys.path, where wheel.py would shadow the package `wheel`.
    run([PYTHON, "-P", SCRIPT, FOLDER], doing="Training the recorded runs", env=python_env(), show=True)
    files = sorted(FOLDER.glob("*.json"))
    if not files:
        raise BuildError("web/build/record.py wrote no recorded run.")
    for file in files:
        try:
            json.loads(file.read_bytes(), parse_constant=_refuse)
        except ValueError as error:
            raise BuildError(f"The recorded run {file.name} is not JSON that a browser reads: {error}.") from None


def _refuse(name: str) -> None:
    """Python writes NaN and Infinity, which JSON.parse refuses."""
    raise ValueError(f"it contains {name}")
