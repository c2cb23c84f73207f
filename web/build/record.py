"""Train the six default runs natively and write what the page replays before, and without, Python.

python web/build/record.py OUTDIR      writes OUTDIR/<task>-<mask>.json
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from microtransformer import ModelConfig, TrainConfig, Trainer
from microtransformer.masks import MASKS
from microtransformer.playground import describe, observe
from microtransformer.tasks import TASKS

PROBES = ("FACE", "HEAD", "ABCD", "EDGE")
"""What a reader can look at before the engine runs: the default, a second word, the alphabet, a repeated letter."""

DIGITS = 4
"""Decimals kept of probabilities: the page shows two, and draws colours."""


def record(task: str, mask: str) -> dict[str, Any]:
    """One run with the package's defaults: its facts, its history, and what it made of each probe at every epoch."""
    trainer = Trainer(ModelConfig(), TrainConfig(task=task, mask=mask))
    for _ in range(trainer.train.epochs):
        trainer.run_epoch()
    probes = {
        probe: [
            {name: _plain(value) for name, value in observe(trainer.model_at(epoch), trainer, probe).items()}
            for epoch in range(trainer.epoch + 1)
        ]
        for probe in PROBES
    }
    return describe(trainer) | {"history": [asdict(r) for r in trainer.history], "probes": probes}


def _plain(value: Any) -> Any:
    return [round(float(x), DIGITS) for x in value] if isinstance(value, np.ndarray) else value


def main() -> None:
    """Write every run; progress on standard output."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for task in TASKS:
        for mask in MASKS:
            run = record(task, mask)
            last = run["history"][-1]
            print(f"  {task}, {mask}: CE {last['ce']:.4f}, accuracy {last['accuracy']:.2%} at epoch {last['epoch']}")
            text = json.dumps(run, separators=(",", ":"))
            (out / f"{task}-{mask}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
