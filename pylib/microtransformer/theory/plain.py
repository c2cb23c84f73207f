"""Between arrays and plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..config import _whole

Vector = list[float]
Matrix = list[list[float]]
MaskedMatrix = list[list[float | None]]


MAX_SEED = 2**32 - 1
"""As for a training run."""


def plain(array: Any) -> Any:
    """A float or nested lists of floats, with `None` where a number is not finite."""
    array = np.asarray(array, np.float64)
    if np.isfinite(array).all():
        return array.tolist()
    numbers = array.astype(object)
    numbers[~np.isfinite(array)] = None
    return numbers.tolist()


def finite(values: Any, what: str, ndim: int) -> NDArray[np.float64]:
    """`values` as a float64 array of `ndim` axes. Raises `ValueError` unless all are finite and there is one."""
    axes = {1: "a list", 2: "a list of equally long lists"}[ndim]
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.ndim != ndim or not array.size or not np.isfinite(array).all():
        raise ValueError(f"{what} must be {axes} of finite numbers, with at least one of them.")
    return array


def whole(name: str, value: object, low: int, high: int) -> int:
    """`value`, which must be a whole number from `low` to `high`; `ValueError` otherwise."""
    _whole(name, value, low, high)
    assert isinstance(value, int)
    return value


def choice(name: str, value: str, known: Sequence[str]) -> str:
    """`value`, which must be one of `known`; `ValueError` otherwise."""
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, but it is {value!r}.")
    return value
