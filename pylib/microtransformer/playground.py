"""What the page's worker calls: one reader, one run at a time, and one kept beside it for comparison.

Every call takes and returns plain values; the arrays among them are contiguous one-dimensional float32, which
cross into JavaScript as `Float32Array`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, fields
from io import BytesIO
from math import log
from typing import Any

import numpy as np

from . import parameters, questions, tasks
from .config import ModelConfig, TrainConfig, from_mapping
from .layers import softmax
from .limits import bayes_limit
from .model import MicroTransformer
from .training import Trainer, TrainingDiverged

LARGEST_FILE = 2**27
"""Bytes that a file may unpack to in the page, where all runs and their weights share one memory."""

MODEL_SETTINGS = frozenset(field.name for field in fields(ModelConfig))


class Playground:
    """Holds the run on screen. `start` comes first; `RuntimeError` otherwise."""

    def __init__(self) -> None:
        self._trainer: Trainer | None = None
        self._kept: Trainer | None = None
        self._work: Iterator[None] | None = None

    @property
    def trainer(self) -> Trainer:
        """The current run."""
        if self._trainer is None:
            raise RuntimeError("No run has been started; call start() first.")
        return self._trainer

    def start(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Begin a run. `settings` holds fields of `ModelConfig` and `TrainConfig`; the rest take their defaults.

        Returns what stays fixed during the run. Raises `ValueError` for a wrong setting, keeping the run before it.
        """
        model = {name: value for name, value in settings.items() if name in MODEL_SETTINGS}
        train = {name: value for name, value in settings.items() if name not in MODEL_SETTINGS}
        trainer = Trainer(from_mapping(ModelConfig, model), from_mapping(TrainConfig, train))
        facts = describe(trainer)
        self._trainer, self._work = trainer, None
        return facts

    def restore(self, content: bytes, shown: dict[str, list[int]]) -> dict[str, Any]:
        """Go on with the run in a file that `Trainer.save` wrote.

        `shown` holds, for fields of `ModelConfig`, the least and the greatest value that the caller can show. Returns
        what `start` does, and the `history`. Raises `ValueError` for a file that is not a run, or that cannot be shown,
        keeping the run before it.
        """
        trainer = Trainer.load(BytesIO(content), LARGEST_FILE)
        for name, (low, high) in shown.items():
            value = getattr(trainer.cfg, name)
            if not low <= value <= high:
                only = f"{low}" if low == high else f"{low} to {high}"
                raise ValueError(f"The run in the file has {name} = {value}; what can be shown here is {only}.")
        if trainer.epoch > trainer.train.epochs:
            trainer.change(epochs=trainer.epoch)
        facts = describe(trainer) | {"history": [asdict(record) for record in trainer.history]}
        self._trainer, self._work = trainer, None
        return facts

    def save(self) -> bytes:
        """The run as it stood at the end of its last complete epoch, as a file that `Trainer.load` reads."""
        file = BytesIO()
        self.trainer.save(file)
        return file.getvalue()

    def weights(self, epoch: int) -> bytes:
        """The model of an epoch as a file that `MicroTransformer.load` reads. `IndexError` for one not yet trained."""
        trainer, file = self.trainer, BytesIO()
        trainer.model_at(epoch).save(file, {"train": asdict(trainer.train), "epoch": epoch})
        return file.getvalue()

    def change(self, settings: dict[str, Any]) -> None:
        """Go on with other optimiser settings (`Trainer.change`); an epoch in progress begins again."""
        self.trainer.change(**settings)
        self.trainer.rollback()
        self._work = None

    def advance(self, budget_ms: float, until: int) -> dict[str, Any]:
        """Work for about `budget_ms` milliseconds, or to the end of an epoch, and never beyond epoch `until`.

        At least one piece of work is done, however small the budget: repeated calls always get there.

        Returns `epoch`, complete epochs so far; `done`, whether epoch `until` has been trained and evaluated;
        `steps`, training steps taken in this call, and `step_seconds`, what they took without the evaluation;
        `record`, the scores of an epoch that ended in this call, or None; `error`, a sentence when the loss was not
        finite, or None. `advance(..., until=0)` evaluates the untrained model.
        """
        trainer = self.trainer
        known, steps_before, step_seconds = trainer.evaluated, trainer.optimiser.t, 0.0
        deadline = time.perf_counter() + budget_ms / 1000
        error = None
        try:
            while trainer.evaluated == known and trainer.evaluated <= until:
                step_seconds += self._do_one_piece()
                if time.perf_counter() >= deadline:
                    break
        except TrainingDiverged as diverged:
            error, self._work = str(diverged), None
        record = asdict(trainer.history[-1]) if trainer.evaluated > known else None
        return {
            "epoch": trainer.epoch,
            "done": trainer.evaluated > until,
            "steps": max(0, trainer.optimiser.t - steps_before),
            "step_seconds": step_seconds,
            "record": record,
            "error": error,
        }

    def keep(self) -> None:
        """Hold on to the current run when `start` replaces it, for `observe`; the one kept before is let go."""
        self._kept = self.trainer

    def drop(self) -> None:
        """Let the kept run go."""
        self._kept = None

    def observe(self, epoch: int, probe: str, kept: bool = False) -> dict[str, Any]:
        """What the model of an epoch makes of a probe such as "CAFH"; that of the kept run, if `kept`.

        Returns `target` and `prediction`, texts; `confidence`, the probability of each predicted token, (T,); and
        `attention`, P of every layer and head, (L*H*T*T,) flattened in that order. Raises `ValueError` for a probe
        that is not T letters of the vocabulary, `IndexError` for an epoch not yet trained.
        """
        trainer = self._kept if kept else self.trainer
        if trainer is None:
            raise RuntimeError("No run is kept; call keep() first.")
        return observe(trainer.model_at(epoch), trainer, probe)

    def ask(self, name: str, arguments: str) -> str:
        """Answer a question of `questions.FREE`; arguments and answer are JSON. `ValueError` for a wrong one."""
        return json.dumps(questions.answer(name, json.loads(arguments)), allow_nan=False)

    def ask_about(self, epoch: int, name: str, arguments: str) -> str:
        """Answer a question of `questions.ABOUT_A_RUN` about the model of an epoch of the run, likewise."""
        return json.dumps(questions.answer_about(self.trainer, epoch, name, json.loads(arguments)), allow_nan=False)

    def _do_one_piece(self) -> float:
        """A training step, whose duration in seconds is returned, or a chunk of evaluation, which counts as 0."""
        if self._work is None:
            trainer = self.trainer
            self._work = trainer.epoch_work() if trainer.evaluated else trainer.untrained_work()
        steps, started = self.trainer.optimiser.t, time.perf_counter()
        if next(self._work, "done") == "done":
            self._work = None
        return time.perf_counter() - started if self.trainer.optimiser.t > steps else 0.0


def describe(trainer: Trainer) -> dict[str, Any]:
    """The facts of a run that the page shows beside its scores; `limit` is None where V^T is too large to count."""
    cfg, train = trainer.cfg, trainer.train
    countable = cfg.vocab_size**cfg.seq_len <= tasks.MAX_ENUMERATED
    limit = bayes_limit(train.task, train.mask, cfg.vocab_size, cfg.seq_len) if countable else None
    return {
        "model": asdict(cfg),
        "train": asdict(train),
        "parameters": parameters.count(cfg),
        "steps_per_epoch": trainer.steps_per_epoch,
        "train_sequences": len(trainer.train_tokens),
        "held_out_sequences": len(trainer.held_out_tokens),
        "guess_ce": log(cfg.vocab_size),
        "limit": asdict(limit) if limit else None,
    }


def observe(model: MicroTransformer, trainer: Trainer, probe: str) -> dict[str, Any]:
    """`Playground.observe` for any model of the trainer's run."""
    cfg = trainer.cfg
    tokens = tasks.encode(probe, cfg.vocab_size, cfg.seq_len)  # (1, T)
    trace = model.trace(tokens, trainer.mask)
    p = softmax(trace["logits"][0])  # (T, V)
    attention = [trace[f"layers.{layer}.P"][0] for layer in range(cfg.n_layers)]  # L x (H, T, T)
    return {
        "target": tasks.decode(tasks.TASKS[trainer.train.task].target(tokens)[0]),
        "prediction": tasks.decode(p.argmax(axis=1)),
        "confidence": _plain(p.max(axis=1)),
        "attention": _plain(np.stack(attention)),
    }


def _plain(values: Any) -> Any:
    return np.ascontiguousarray(values, np.float32).ravel()
