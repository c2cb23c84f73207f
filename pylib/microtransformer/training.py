"""A training run: epochs of Adam steps, held-out evaluation, and a snapshot of the weights per epoch."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, TypedDict

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import archive, checkpoint, masks
from .config import ModelConfig, TrainConfig, from_mapping
from .layers import Array, cross_entropy
from .model import MicroTransformer
from .optim import Adam
from .tasks import TASKS, Tokens, split

EVALUATION_CHUNK = 256
"""Sequences evaluated at once: few enough for the browser to stay responsive between two chunks."""


@dataclass(frozen=True)
class EpochRecord:
    """Scores of one epoch. Cross-entropies in nats per token; accuracies and exact match from 0 to 1."""

    epoch: int
    """0 is the untrained model."""
    train_ce: float
    """Mean over the epoch's steps, each measured before its update; at epoch 0, over all training sequences."""
    ce: float
    """On the held-out sequences, as are all that follow."""
    accuracy: float
    """Share of tokens whose most likely prediction is right."""
    exact_match: float
    """Share of sequences with every token right."""
    ce_per_position: tuple[float, ...]
    accuracy_per_position: tuple[float, ...]


class Scores(TypedDict):
    """The held-out fields of an `EpochRecord`."""

    ce: float
    accuracy: float
    exact_match: float
    ce_per_position: tuple[float, ...]
    accuracy_per_position: tuple[float, ...]


class TrainingDiverged(ArithmeticError):
    """The loss of a step was not finite. The run stands again where its last complete epoch ended."""


@dataclass(frozen=True)
class Checkpoint:
    """All that is needed to go on from the end of an epoch; the order of its batches follows from seed and epoch."""

    theta: Array
    m: Array
    v: Array
    t: int


class Trainer:
    """Trains one model on one task under one mask.

    `run_epoch` does an epoch at a time. The page instead calls `next` on `epoch_work()`, which pauses after every
    step, so that it can answer the reader in between; both do the same arithmetic in the same order.
    """

    def __init__(self, cfg: ModelConfig, train: TrainConfig, dtype: DTypeLike = np.float32) -> None:
        self.cfg = cfg
        self.train = train
        self.model = MicroTransformer(cfg, train.seed, dtype)
        self.optimiser = Adam(self.model.theta)
        self._gradient = np.empty_like(self.model.theta)  # written anew in every step
        self.mask = masks.additive(train.mask, cfg.seq_len)  # (T, T)
        self.train_tokens, self.held_out_tokens = split(
            cfg.vocab_size, cfg.seq_len, train.train_sequences, train.held_out_sequences, train.seed
        )
        self.train_targets = self._target(self.train_tokens)
        self.held_out_targets = self._target(self.held_out_tokens)
        self.snapshots: list[Array] = [self.model.theta.copy()]
        """theta at the end of each epoch; [0] is untrained."""
        self.checkpoint = self._take_checkpoint()
        self._records: list[EpochRecord] = []

    @property
    def epoch(self) -> int:
        """Complete epochs so far."""
        return len(self.snapshots) - 1

    @property
    def evaluated(self) -> int:
        """Records in the history so far: 0 until the untrained model has been evaluated, then epoch + 1."""
        return len(self._records)

    @property
    def history(self) -> list[EpochRecord]:
        """One record per epoch, `history[e]` for epoch e. Epoch 0 is evaluated when first asked for."""
        for _ in self.untrained_work():
            pass
        return self._records

    @property
    def steps_per_epoch(self) -> int:
        """Batches in an epoch, the last one possibly smaller."""
        return -(-len(self.train_tokens) // self.train.batch_size)

    def run_epoch(self) -> EpochRecord:
        """Train one epoch and evaluate it. Raises `TrainingDiverged` when a loss is not finite."""
        for _ in self.epoch_work():
            pass
        return self._records[-1]

    def epoch_work(self) -> Iterator[None]:
        """One epoch in pieces: yields after each training step and each chunk of the evaluation.

        Abandoning it half-way is safe after `rollback()`. Raises `TrainingDiverged` as `run_epoch` does.
        """
        yield from self.untrained_work()
        epoch = self.epoch + 1
        # Seeded by epoch, so that a restored run needs no generator state. 2: the stream of the batch orders.
        order = np.random.default_rng([self.train.seed, 2, epoch]).permutation(len(self.train_tokens))
        total = 0.0
        for start in range(0, len(order), self.train.batch_size):
            batch = order[start : start + self.train.batch_size]
            total += len(batch) * self._step(self.train_tokens[batch], self.train_targets[batch])
            yield
        theta = self.model.theta.copy()
        scores = yield from self._evaluate(self.held_out_tokens, self.held_out_targets)
        if not isfinite(scores["ce"]):  # the last step of the epoch went too far: no later step has shown it
            raise self._diverged(scores["ce"], self.optimiser.t)
        self.snapshots.append(theta)
        self._records.append(EpochRecord(epoch, total / len(order), **scores))
        self.checkpoint = self._take_checkpoint()

    def model_at(self, epoch: int) -> MicroTransformer:
        """The model as it was at the end of an epoch (0: untrained). Raises `IndexError` for one not yet trained."""
        if not 0 <= epoch <= self.epoch:
            raise IndexError(f"There is no epoch {epoch}; this run has epochs 0 to {self.epoch}.")
        return MicroTransformer(self.cfg, theta=self.snapshots[epoch])

    def change(self, **settings: Any) -> None:
        """Go on with other optimiser settings, for instance `change(learning_rate=1e-3)`.

        Task, mask, seed and data sizes define the run and cannot change: `ValueError`, as for a value out of range.
        """
        fixed = {"task", "mask", "seed", "train_sequences", "held_out_sequences"} & settings.keys()
        if fixed:
            raise ValueError(f"{min(fixed)} cannot change during a run; start a new Trainer instead.")
        self.train = from_mapping(TrainConfig, asdict(self.train) | settings)

    def save(self, file: archive.File) -> None:
        """Write the run to one `.npz`; an epoch in progress is not part of it."""
        checkpoint.save(self, file)

    @staticmethod
    def load(file: archive.File, largest: int = archive.LARGEST) -> Trainer:
        """Read a run that `save` wrote; it goes on bit for bit. Raises `ValueError` for any other file.

        `largest`: bytes that the file may unpack to.
        """
        return checkpoint.load(file, largest)

    def restore_history(self, records: list[EpochRecord]) -> None:
        """Take over the records of a saved run, one per snapshot."""
        self._records = records

    def rollback(self) -> None:
        """Return to the end of the last complete epoch, exactly."""
        self.model.theta[:] = self.checkpoint.theta
        self.optimiser.m[:] = self.checkpoint.m
        self.optimiser.v[:] = self.checkpoint.v
        self.optimiser.t = self.checkpoint.t

    def _take_checkpoint(self) -> Checkpoint:
        adam = self.optimiser
        return Checkpoint(self.snapshots[-1], adam.m.copy(), adam.v.copy(), adam.t)

    def _target(self, tokens: Tokens) -> Tokens:
        return TASKS[self.train.task].target(tokens)

    def _step(self, tokens: Tokens, targets: Tokens) -> float:
        # A diverging run may overflow before its loss shows it; the loss is what is checked and reported.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            loss, grad = self.model.loss_and_gradient(tokens, targets, self.mask, self._gradient)
            if isfinite(loss):
                self.optimiser.step(self.model.theta, grad, self.train)
                return loss
        raise self._diverged(loss, self.optimiser.t + 1)

    def _diverged(self, loss: float, step: int) -> TrainingDiverged:
        """Go back to the last complete epoch, and say why."""
        self.rollback()
        return TrainingDiverged(
            f"The loss was {loss} at step {step} (epoch {self.epoch + 1}): most likely the learning rate, "
            f"{self.train.learning_rate:g}, is too high. The weights of epoch {self.epoch} are kept; "
            f"lower the learning rate and train on."
        )

    def untrained_work(self) -> Iterator[None]:
        """The evaluation of epoch 0 in pieces; nothing when it is done already."""
        if self._records:
            return
        train = yield from self._evaluate(self.train_tokens, self.train_targets)
        scores = yield from self._evaluate(self.held_out_tokens, self.held_out_targets)
        if not self._records:  # `history` may have been asked for between two of the pieces
            self._records.append(EpochRecord(0, train["ce"], **scores))

    def _evaluate(self, tokens: Tokens, targets: Tokens) -> Generator[None, None, Scores]:
        """Yields after every chunk; returns the scores of (n, T) sequences as fields of an `EpochRecord`."""
        nll = np.empty(tokens.shape)  # (n, T), float64: the mean of many float32 numbers keeps its digits
        right = np.empty(tokens.shape, bool)  # (n, T)
        for start in range(0, len(tokens), EVALUATION_CHUNK):
            rows = slice(start, start + EVALUATION_CHUNK)
            with np.errstate(over="ignore", invalid="ignore"):  # as in _step: the result is what is checked
                nll[rows], right[rows] = score(self.model, tokens[rows], targets[rows], self.mask)
            yield
        return {
            "ce": float(nll.mean()),
            "accuracy": float(right.mean()),
            "exact_match": float(right.all(axis=1).mean()),
            "ce_per_position": tuple(nll.mean(axis=0).tolist()),
            "accuracy_per_position": tuple(right.mean(axis=0).tolist()),
        }


def score(model: MicroTransformer, tokens: Tokens, targets: Tokens, M: Array) -> tuple[Array, NDArray[np.bool_]]:
    """For each target token: its negative log-likelihood in nats, and whether it was the likeliest. Both (B, T)."""
    logits = model.forward(tokens, M)  # (B, T, V)
    nll, _ = cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))
    return nll.reshape(tokens.shape), logits.argmax(axis=-1) == targets
