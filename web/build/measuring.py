"""The numbers of the article's text that need training or computing; measure.py makes them."""

from __future__ import annotations

from web.build.environment import PYTHON, package_inputs, python_env
from web.build.project import ROOT, WEB, WORK, run
from web.build.stamps import step

SCRIPT = WEB / "build" / "measure.py"
EXPERIMENTS = WEB / "src" / "trainer" / "experiments.json"
FOLDER = WORK / "measured"
FILE = FOLDER / "measured.json"


def ensure_measured() -> None:
    """Measure again if the package or the script has changed; .build/measured/measured.json."""
    step(
        "numbers",
        inputs=[*package_inputs(), SCRIPT, EXPERIMENTS],
        outputs=[FOLDER],
        action=_measure,
        announce="training the runs that the text speaks of, over several seeds",
    )


def _measure() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    # -P: see recordings.py.
    run([PYTHON, "-P", SCRIPT, FILE], doing="Measuring", env={**python_env(), "PYTHONPATH": str(ROOT)})
