"""What the package computes natively, and what the build recorded, for comparison with the page."""

from __future__ import annotations

import json
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microtransformer import ModelConfig, TrainConfig, Trainer
from microtransformer.layers import softmax
from microtransformer.masks import MASKS
from microtransformer.playground import observe
from microtransformer.tasks import TASKS
from web.build.project import DIST

RUNS = [(task, mask) for task in TASKS for mask in MASKS]
"""The six default runs."""

ROUNDING = 0.0005 + 1e-9
"""The page shows three decimals."""


@cache
def native_run(task: str, mask: str, seed: int = 0, epochs: int = 40) -> Trainer:
    """The run that the page trains, trained here."""
    trainer = Trainer(ModelConfig(), TrainConfig(task=task, mask=mask, seed=seed))
    for _ in range(epochs):
        trainer.run_epoch()
    return trainer


def native_maps(trainer: Trainer, epoch: int, probe: str) -> NDArray[np.float32]:
    """Attention of every head at an epoch, (L*H, T, T)."""
    cfg = trainer.cfg
    attention = observe(trainer.model_at(epoch), trainer, probe)["attention"]
    return np.asarray(attention, np.float32).reshape(cfg.n_layers * cfg.n_heads, cfg.seq_len, cfg.seq_len)


@cache
def recording(task: str, mask: str) -> dict[str, Any]:
    """The file that the page replays."""
    (file,) = (DIST / "recorded").glob(f"{task}-{mask}-*.json")
    run: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return run


def three_standard_errors(task: str, mask: str, epoch: int) -> float:
    """How far the held-out loss of an epoch's model may lie from its loss on all sequences, by chance of the sample."""
    trainer = native_run(task, mask)
    logits = trainer.model_at(epoch).forward(trainer.held_out_tokens, trainer.mask)
    p = softmax(logits)  # (B, T, V)
    right = np.take_along_axis(p, trainer.held_out_targets[..., None], axis=2)[..., 0]  # (B, T)
    per_sequence = -np.log(right).mean(axis=1)  # (B,)
    return 3 * float(per_sequence.std(ddof=1)) / sqrt(len(per_sequence))
