"""The Jacobian of softmax, and how it vanishes when the scores grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from ..layers import Array, softmax
from .plain import Matrix, Vector, finite, plain


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
    J = np.diag(P) - np.outer(P, P)  # (T, T)
    return {
        "scale": float(scale),
        "probabilities": plain(P),
        "jacobian": plain(J),
        "frobenius": float(np.sqrt(np.square(J).sum())),
        "spectral": _spectral(J),
    }


class Norms(TypedDict):
    """Curves over the scale; all lists are equally long."""

    scales: Vector
    frobenius: Vector
    spectral: Vector
    max_probability: Vector


def jacobian_norms(scores: Sequence[float], scales: Sequence[float]) -> Norms:
    """`softmax_jacobian` for several scales, as curves. 0.1 ms per scale."""
    found = [softmax_jacobian(scores, scale) for scale in scales]
    return {
        "scales": [jacobian["scale"] for jacobian in found],
        "frobenius": [jacobian["frobenius"] for jacobian in found],
        "spectral": [jacobian["spectral"] for jacobian in found],
        "max_probability": [max(jacobian["probabilities"]) for jacobian in found],
    }


def _spectral(J: Array) -> float:
    # Symmetric and positive semidefinite: the norm is the largest eigenvalue, which rounding may put below 0.
    return max(0.0, float(np.linalg.eigvalsh(J)[-1]))


def _scale(scale: float) -> float:
    if not 0 <= scale < float("inf"):
        raise ValueError(f"scale must be a finite number of at least 0, but it is {scale!r}.")
    return scale
