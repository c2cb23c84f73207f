"""A run in one `.npz` file: settings, history, the weights of every epoch, and the optimiser's state."""

from __future__ import annotations

import json
import zlib
from contextlib import nullcontext
from dataclasses import asdict
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from zipfile import BadZipFile

import numpy as np

from . import parameters
from .config import ModelConfig, TrainConfig, from_mapping

if TYPE_CHECKING:
    from .training import Trainer

FORMAT = 1
"""Raised when the meaning of the file changes; `load` refuses a number it does not know."""

ARRAYS = ("snapshots", "m", "v")


def save(trainer: Trainer, file: str | PathLike[str] | BinaryIO) -> None:
    """Write the run as it stood at the end of its last complete epoch.

    Arrays: `snapshots` (E+1, P), Adam's `m` and `v` (P,); `run`, a JSON text with everything else.
    """
    run = {
        "format": FORMAT,
        "model": asdict(trainer.cfg),
        "train": asdict(trainer.train),
        "steps": trainer.checkpoint.t,
        "history": [asdict(record) for record in trainer.history],
    }
    # An open file, because np.savez would add ".npz" to a path that lacks it.
    with open(file, "wb") if isinstance(file, (str, PathLike)) else nullcontext(file) as out:
        np.savez_compressed(
            out,
            run=np.array(json.dumps(run)),
            snapshots=np.stack(trainer.snapshots),
            m=trainer.checkpoint.m,
            v=trainer.checkpoint.v,
        )


def load(file: str | PathLike[str] | BinaryIO) -> Trainer:
    """The run that `save` wrote, ready to go on exactly. Raises `ValueError` for a file that is not one."""
    if isinstance(file, (str, PathLike)):
        name, content = Path(file).name, Path(file).read_bytes()
    else:
        name, content = "The file", file.read()
    try:
        return _restore(content)
    except (BadZipFile, zlib.error, EOFError, AttributeError, LookupError, TypeError, ValueError) as error:
        reason = f"it lacks {str(error.args[0]).split()[0]}" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise ValueError(f"{name} is not a saved run of microtransformer: {reason}.") from error


def _restore(content: bytes) -> Trainer:
    from .training import Checkpoint, EpochRecord, Trainer

    run, arrays = _read(content)
    cfg, train = from_mapping(ModelConfig, run["model"]), from_mapping(TrainConfig, run["train"])
    trainer = Trainer(cfg, train, arrays["snapshots"].dtype)
    trainer.snapshots = list(arrays["snapshots"])
    trainer.checkpoint = Checkpoint(trainer.snapshots[-1], arrays["m"], arrays["v"], run["steps"])
    trainer.rollback()
    trainer.restore_history([EpochRecord(**_tuples(fields)) for fields in run["history"]])
    return trainer


def _tuples(fields: dict[str, Any]) -> dict[str, Any]:
    """JSON has no tuples: what was one comes back as a list."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}


def _read(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    if not content.startswith(b"PK"):  # np.load would offer to unpickle it
        raise ValueError("it is no .npz archive")
    with np.load(BytesIO(content), allow_pickle=False) as data:
        run = json.loads(str(data["run"]))
        arrays = {key: data[key] for key in ARRAYS}
    if run.get("format") != FORMAT:
        raise ValueError(f"its format is {run.get('format')}, and this version reads format {FORMAT} only")
    P = parameters.count(from_mapping(ModelConfig, run["model"]))
    shapes = {"snapshots": (len(run["history"]), P), "m": (P,), "v": (P,)}
    dtype = arrays["snapshots"].dtype
    for key, shape in shapes.items():
        if arrays[key].shape != shape or arrays[key].dtype != dtype:
            raise ValueError(
                f"{key} has shape {arrays[key].shape} and type {arrays[key].dtype}, "
                f"where shape {shape} and type {dtype} belong"
            )
    return run, arrays
