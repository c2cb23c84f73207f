"""The Jacobian of softmax, and how it vanishes when the scores grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from ..layers import Array, softmax
from .plain import Matrix, Vector, finite, plain

SCALES = tuple(2 ** (k / 4) for k in range(-8, 21))
"""Of the curves: 1/4 to 32."""


class Jacobian(TypedDict):
    """softmax at scale * scores, and its derivative there."""

    scale: float
    probabilities: Vector
    jacobian: Matrix
    """Entry (j, m) is dP_j / dS_m, with S = scale * scores."""
    frobenius: float
    """Root of the sum of the squared entries."""
    spectral: float
    """Largest eigenvalue: how far a step of length 1 in S can move P. At most 1/2."""


def softmax_jacobian(scores: Sequence[float], scale: float = 1.0) -> Jacobian:
    """J = diag(P) - P P^T, with P = softmax(scale * scores).

    dP_j/dS_m = P_j (1 - P_j) for j = m and -P_j P_m otherwise (Bridle 1990). J is symmetric, positive semidefinite,
    and its rows sum to 0; its spectral norm is at most 1/2 (Nair 2025, arXiv:2510.23012). With one largest score,
    P tends to a one-hot vector as the scale grows, and J to 0. The derivative with respect to the scores before they
    are scaled is `scale` times J; it vanishes too, since J does so exponentially.

    Raises `ValueError` unless the scores are finite numbers and the scale is a finite number of at least 0.
    """
    P = softmax(_scale(scale) * finite(scores, "scores", 1))  # (T,)
    J = _jacobian(P)  # (T, T)
    return {
        "scale": float(scale),
        "probabilities": plain(P),
        "jacobian": plain(J),
        "frobenius": float(_frobenius(J)),
        "spectral": float(_spectral(J)),
    }


class Norms(TypedDict):
    """Curves over the scale; all lists are equally long."""

    scales: Vector
    frobenius: Vector
    spectral: Vector
    max_probability: Vector


def jacobian_norms(scores: Sequence[float], scales: Sequence[float]) -> Norms:
    """`softmax_jacobian` for n scales at once, as curves."""
    steps = np.array([_scale(scale) for scale in scales], np.float64)
    P = softmax(steps[:, None] * finite(scores, "scores", 1))  # (n, T)
    J = _jacobian(P)  # (n, T, T)
    return {
        "scales": plain(steps),
        "frobenius": plain(_frobenius(J)),
        "spectral": plain(_spectral(J)),
        "max_probability": plain(P.max(axis=-1)),
    }


class Picture(TypedDict):
    """What the figure draws."""

    at: Jacobian
    curve: Norms
    """Over `SCALES`."""


def jacobian_picture(scores: Sequence[float], scale: float = 1.0) -> Picture:
    """`softmax_jacobian` at one scale, and `jacobian_norms` over `SCALES`, in one answer. Raises as they do."""
    return {"at": softmax_jacobian(scores, scale), "curve": jacobian_norms(scores, SCALES)}


def _jacobian(P: Array) -> Array:
    """(..., T) -> (..., T, T)."""
    return P[..., None] * np.eye(P.shape[-1]) - P[..., :, None] * P[..., None, :]


def _frobenius(J: Array) -> Array:
    norms: Array = np.sqrt(np.square(J).sum(axis=(-2, -1)))
    return norms


def _spectral(J: Array) -> Array:
    # Symmetric and positive semidefinite: the norm is the largest eigenvalue, which rounding may put below 0.
    norms: Array = np.maximum(0.0, np.linalg.eigvalsh(J)[..., -1])
    return norms


def _scale(scale: float) -> float:
    if not 0 <= scale < float("inf"):
        raise ValueError(f"scale must be a finite number of at least 0, but it is {scale!r}.")
    return scale
