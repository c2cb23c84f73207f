"""A run in one `.npz` file: settings, history, the weights of every epoch, and the optimiser's state."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from . import archive, parameters
from .config import ModelConfig, TrainConfig, from_mapping

if TYPE_CHECKING:
    from .training import EpochRecord, Trainer

ARRAYS = ("snapshots", "m", "v")


def save(trainer: Trainer, file: archive.File) -> None:
    """Write the run as it stood at the end of its last complete epoch.

    Arrays: `snapshots` (E+1, P), Adam's `m` and `v` (P,); `run`, a JSON text with everything else.
    """
    run = {
        "model": asdict(trainer.cfg),
        "train": asdict(trainer.train),
        "steps": trainer.checkpoint.t,
        "history": [asdict(record) for record in trainer.history],
    }
    state = trainer.checkpoint
    archive.write(file, run, {"snapshots": np.stack(trainer.snapshots), "m": state.m, "v": state.v})


def load(file: archive.File, largest: int = archive.LARGEST) -> Trainer:
    """The run that `save` wrote, ready to go on exactly. Raises `ValueError` for a file that is not one.

    `largest`: bytes that the file may unpack to.
    """
    return archive.read(file, "a saved run of microtransformer", _restore, largest)


def _restore(held: archive.Archive) -> Trainer:
    from .training import Checkpoint, Trainer

    run = held.run
    if "history" not in run:
        raise ValueError("it holds the weights of one model, which MicroTransformer.load reads, and no history")
    cfg, train = from_mapping(ModelConfig, run["model"]), from_mapping(TrainConfig, run["train"])
    history = [_record(fields, epoch, cfg.seq_len) for epoch, fields in enumerate(run["history"])]
    arrays = _arrays(held, len(history), parameters.count(cfg))
    steps = run["steps"]
    if not isinstance(steps, int) or steps < 0:
        raise ValueError(f"its number of steps is {steps!r}")
    trainer = Trainer(cfg, train, arrays["snapshots"].dtype)
    trainer.snapshots = list(arrays["snapshots"])
    trainer.checkpoint = Checkpoint(trainer.snapshots[-1], arrays["m"], arrays["v"], steps)
    trainer.rollback()
    trainer.restore_history(history)
    return trainer


def _arrays(held: archive.Archive, epochs: int, P: int) -> dict[str, Any]:
    """The three arrays, of the shapes that belong there, one type, and finite."""
    arrays = {key: held.array(key) for key in ARRAYS}
    shapes = {"snapshots": (epochs, P), "m": (P,), "v": (P,)}
    dtype = arrays["snapshots"].dtype
    for key, shape in shapes.items():
        if arrays[key].shape != shape or arrays[key].dtype != dtype:
            raise ValueError(
                f"{key} has shape {arrays[key].shape} and type {arrays[key].dtype}, "
                f"where shape {shape} and type {dtype} belong"
            )
        if not np.isfinite(arrays[key]).all():
            raise ValueError(f"{key} holds numbers that are not finite")
    return arrays


def _record(fields: dict[str, Any], epoch: int, T: int) -> EpochRecord:
    """The record of an epoch; JSON has no tuples: what was one comes back as a list."""
    from .training import EpochRecord

    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    record = EpochRecord(**values)
    numbers = (record.train_ce, record.ce, record.accuracy, record.exact_match)
    each = (record.ce_per_position, record.accuracy_per_position)
    right = record.epoch == epoch and all(isinstance(values, tuple) and len(values) == T for values in each)
    if not right or not all(_is_number(value) for value in (*numbers, *each[0], *each[1])):
        raise ValueError(f"entry {epoch} of its history is not the record of epoch {epoch}")
    return record


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
