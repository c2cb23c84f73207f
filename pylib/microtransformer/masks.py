"""Additive attention masks: 0 where a query may look at a key, -inf where it may not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]


def _bidirectional(T: int) -> NDArray[np.bool_]:
    """Every position sees every position."""
    return np.ones((T, T), bool)


def _causal(T: int) -> NDArray[np.bool_]:
    """Position i sees positions j <= i."""
    return np.tril(np.ones((T, T), bool))


MASKS: dict[str, Callable[[int], NDArray[np.bool_]]] = {"bidirectional": _bidirectional, "causal": _causal}
"""Name -> function of T that returns the (T, T) truth table "query i may look at key j"."""


def allowed(name: str, T: int) -> NDArray[np.bool_]:
    """(T, T) truth table of a named mask. Raises `ValueError` for an unknown name or T < 1."""
    if name not in MASKS:
        raise ValueError(f"mask must be one of {', '.join(MASKS)}, but it is {name!r}.")
    if T < 1:
        raise ValueError(f"A mask needs at least one position, but T is {T}.")
    return MASKS[name](T)


def additive(name: str, T: int) -> NDArray[np.float32]:
    """(T, T) of 0 and -inf, to be added to the scores before softmax (Vaswani et al. 2017, section 3.2.3).

    -inf rather than a large negative number: exp(-inf) is exactly 0, whatever the scores, whereas a finite
    fill is only a handicap that a trained score can overcome.
    """
    return np.where(allowed(name, T), np.float32(0), np.float32(-np.inf))


def check(M: Array, T: int) -> None:
    """Refuse a mask of the wrong shape, with NaN or +inf, or with a row that allows nothing (0/0 in softmax)."""
    if M.shape != (T, T):
        raise ValueError(f"The mask must have shape ({T}, {T}), but it has shape {M.shape}.")
    largest = M.max(axis=1)  # (T,), NaN where the row holds one
    if np.isfinite(largest).all():
        return
    if not (largest < np.inf).all():
        raise ValueError("The mask must hold finite numbers and -inf only, but it holds NaN or +inf.")
    raise ValueError(
        f"Row {np.argmin(largest)} of the mask allows no key at all, so its softmax is undefined; "
        "let every query see at least one key, for instance itself."
    )
