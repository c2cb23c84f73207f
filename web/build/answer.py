"""Answer what the article's figures ask, so that they show numbers before, and without, a live engine.

python web/build/answer.py QUESTIONS OUT     QUESTIONS: {tag: [{key, name, args}]}; OUT: {tag: {key: answer}}
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

from microtransformer import ModelConfig, TrainConfig, Trainer, questions

DIGITS = 6
"""Significant decimals kept: figures show three or four."""


@cache
def default_run() -> Trainer:
    """The run that the trainer shows first, trained to its end."""
    trainer = Trainer(ModelConfig(), TrainConfig())
    for _ in range(trainer.train.epochs):
        trainer.run_epoch()
    return trainer


def answer(name: str, arguments: dict[str, Any]) -> Any:
    """A question about a run is about the default run at its last epoch."""
    if name in questions.FREE:
        return questions.answer(name, arguments)
    return questions.answer_about(default_run(), default_run().epoch, name, arguments)


def rounded(value: Any) -> Any:
    """The answer with every float cut to `DIGITS`."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


def main() -> None:
    """Write all answers."""
    asked = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    answers = {
        tag: {question["key"]: rounded(answer(question["name"], question["args"])) for question in of_figure}
        for tag, of_figure in asked.items()
    }
    Path(sys.argv[2]).write_text(json.dumps(answers, separators=(",", ":"), allow_nan=False), encoding="utf-8")


if __name__ == "__main__":
    main()
