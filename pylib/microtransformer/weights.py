"""A model in one `.npz` file: an array for every parameter, under its name, and the settings."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from . import archive, parameters
from .config import ModelConfig, from_mapping
from .layers import Array


def save(cfg: ModelConfig, params: parameters.Views, about: dict[str, Any], file: archive.File) -> None:
    """Write the parameters; `about` goes into the JSON text `run`, beside the settings of the model."""
    archive.write(file, {"model": asdict(cfg)} | about, params)


def load(file: archive.File) -> tuple[ModelConfig, Array]:
    """The settings and the flat vector that `save` wrote. Raises `ValueError` for a file that holds no weights."""
    return archive.read(file, "a saved model of microtransformer", _restore)


def _restore(held: archive.Archive) -> tuple[ModelConfig, Array]:
    cfg = from_mapping(ModelConfig, held.run["model"])
    arrays = []
    for name, shape in parameters.layout(cfg):
        array = held.array(name)
        if array.shape != shape or array.dtype not in (np.float32, np.float64):
            raise ValueError(f"{name} has shape {array.shape} and type {array.dtype}, where floats {shape} belong")
        arrays.append(array.ravel())
    return cfg, np.concatenate(arrays)
