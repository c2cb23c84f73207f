"""Default training runs, seed by seed, and what their held-out sequences tell; no run is trained twice."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pytest

from microtransformer import EpochRecord, ModelConfig, TrainConfig, Trainer, tasks
from microtransformer.training import score

# WebAssembly needs about 15 times as long for a step, and the laws are about the arithmetic, which one seed checks.
IN_PYODIDE = sys.platform == "emscripten"
SEEDS = (0,) if IN_PYODIDE else tuple(range(10))

FEW = TrainConfig().train_sequences
MANY = TrainConfig().held_out_sequences
"""512 and 3,584 of the 4,096 sequences: the usual split, or the other way round."""

over_seeds = pytest.mark.parametrize("seed", SEEDS)


def trained(task: str, mask: str, seed: int, train_sequences: int = FEW, held_out_sequences: int = MANY) -> Trainer:
    """A default run to its end."""
    return _trained(task, mask, seed, train_sequences, held_out_sequences)


@cache  # on every argument by position: it takes `f(1)` and `f(x=1)` for two different calls
def _trained(task: str, mask: str, seed: int, train_sequences: int, held_out_sequences: int) -> Trainer:
    train = TrainConfig(
        task=task,
        mask=mask,
        seed=seed,
        train_sequences=train_sequences,
        held_out_sequences=held_out_sequences,
    )
    trainer = Trainer(ModelConfig(), train)
    for _ in range(train.epochs):
        trainer.run_epoch()
    return trainer


def nll_and_right(trainer: Trainer, epoch: int, tokens: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Per token of the held-out sequences, both (n, T)."""
    tokens = trainer.held_out_tokens if tokens is None else tokens
    targets = tasks.TASKS[trainer.train.task].target(tokens)
    nll, right = score(trainer.model_at(epoch), tokens, targets, trainer.mask)
    return nll.astype(np.float64), right


def beats(trainer: Trainer, record: EpochRecord, limit: float) -> bool:
    """Whether the held-out cross-entropy lies more than 3 standard errors of the held-out sample below `limit`.

    The error is that of a mean over sequences, since the tokens of one sequence depend on each other. That the sample
    is drawn without replacement makes the true error smaller still, so this is a little lenient.
    """
    if record.ce >= limit:
        return False
    nll = nll_and_right(trainer, record.epoch)[0].mean(axis=1)  # (n,)
    return record.ce < limit - 3 * nll.std(ddof=1) / np.sqrt(len(nll))
