"""Causal sort learned from 3,584 sequences instead of 512: closer to the limit, and never beyond it."""

from __future__ import annotations

import numpy as np
import pytest
from default_runs import FEW, IN_PYODIDE, MANY, SEEDS, beats, over_seeds, trained

from microtransformer import limits, masks, tasks

pytestmark = pytest.mark.slow

many_sequences = pytest.mark.skipif(
    IN_PYODIDE, reason="Forty epochs of 3,584 sequences take minutes in WebAssembly; they run natively."
)


def best_guess(task: str, mask: str) -> np.ndarray:
    """(V^T, T): the likeliest target given what each position sees, for every sequence in counting order."""
    tokens = tasks.enumerate_sequences(8, 4)
    targets = tasks.TASKS[task].target(tokens)
    guess = np.empty_like(tokens)
    for i, visible in enumerate(masks.allowed(mask, 4)):
        _, context = np.unique(tokens[:, visible], axis=0, return_inverse=True)
        counts = np.zeros((context.max() + 1, 8), np.int64)
        np.add.at(counts, (context, targets[:, i]), 1)
        guess[:, i] = counts.argmax(axis=1)[context]
    return guess


@many_sequences
@over_seeds
def test_causal_sort_comes_closer_with_more_sequences(seed: int) -> None:
    """To 64%, of 66.26% possible; each run is compared with what is possible on its own held-out sequences.

    Only 512 are left to measure on, and their luck is worth a point or two either way: over seeds 0-9 even the
    best possible guesser scores from 64.5% to 67.4% on them. Measured: the runs end 0.4 to 1.6 points below it.
    """
    trainer = trained("sort", "causal", seed, MANY, FEW)
    rows = trainer.held_out_tokens @ 8 ** np.arange(3, -1, -1, dtype=np.int64)  # place in counting order
    possible = (best_guess("sort", "causal")[rows] == trainer.held_out_targets).mean()
    assert possible - trainer.history[-1].accuracy <= limits.bayes_limit("sort", "causal").accuracy - 0.64


@many_sequences
def test_causal_sort_with_more_sequences_reaches_64_percent_on_average() -> None:
    """Measured over seeds 0-9: 63.5-66.7%, 65.1% on average."""
    ends = [trained("sort", "causal", seed, MANY, FEW).history[-1].accuracy for seed in SEEDS]
    assert np.mean(ends) >= 0.64


def test_the_best_guess_scores_the_limit_on_all_sequences() -> None:
    targets = tasks.TASKS["sort"].target(tasks.enumerate_sequences(8, 4))
    for mask in masks.MASKS:
        right = (best_guess("sort", mask) == targets).mean()
        assert right == pytest.approx(limits.bayes_limit("sort", mask).accuracy, abs=1e-12)


@many_sequences
@over_seeds
def test_held_out_cross_entropy_never_falls_below_the_limit(seed: int) -> None:
    """As in test_training_laws.py, with more sequences to learn from."""
    trainer = trained("sort", "causal", seed, MANY, FEW)
    limit = limits.bayes_limit("sort", "causal").ce
    assert [record.epoch for record in trainer.history if beats(trainer, record, limit)] == []
