"""What the article's figures show before, and without, a live engine: static forms, and answers to questions."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from web.build.environment import PYTHON, node, node_env, package_inputs, python_env
from web.build.project import WEB, WORK, BuildError, execute, run
from web.build.stamps import step

SCRIPT, ANSWER = WEB / "build" / "article.mjs", WEB / "build" / "answer.py"
MATH = (WEB / "build" / "math.mjs", WEB / "build" / "math_font.mjs")
SOURCES = WEB / "src" / "figures"
WORKING = WORK / "answers"
FOLDER = WORK / "figures"


def ensure_figures() -> None:
    """Make the figures if the package or one of them has changed; .build/figures/<tag>.json."""
    step(
        "figures",
        inputs=[*package_inputs(), SOURCES, SCRIPT, *MATH, ANSWER],
        outputs=[FOLDER],
        action=_make,
        announce="computing what they show first",
    )


def _make() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    for folder in (FOLDER, WORKING):
        folder.mkdir(parents=True, exist_ok=True)
    questions, answers = WORKING / "questions.json", WORKING / "answers.json"
    code, output = execute([node(), SCRIPT, "questions"], doing="Collecting the figures' questions", env=node_env())
    if code:
        raise BuildError(f"The figures' questions could not be collected:\n{output}")
    questions.write_text(output, encoding="utf-8")
    # -P: see recordings.py.
    run([PYTHON, "-P", ANSWER, questions, answers], doing="Answering the figures' questions", env=python_env())
    run([node(), SCRIPT, "figures", answers, FOLDER], doing="Drawing the figures", env=node_env())


def static_forms() -> dict[str, str]:
    """Tag -> HTML of each figure."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8"))["html"] for path in sorted(FOLDER.glob("*.json"))}


def write_math(pages: Sequence[Path]) -> None:
    """Turn the TeX of pages into MathML, in place."""
    run([node(), SCRIPT, "math", *pages], doing="Writing the formulas", env=node_env())
