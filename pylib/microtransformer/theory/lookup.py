"""Attention as content-based lookup: every stage, for one token, in numbers small enough to check by hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, TypedDict

import numpy as np

from .. import masks
from ..layers import softmax
from .plain import Matrix, Vector, finite, plain, whole


class Example(TypedDict):
    """T tokens with a query, a key and a value each; q and k have d_k numbers, v has any."""

    tokens: list[str]
    q: Matrix
    k: Matrix
    v: Matrix


EXAMPLE: Example = {
    "tokens": ["the", "cat", "sat", "it"],
    # Two directions: the first says "noun", the second "verb". "it" looks for a noun, and finds "cat".
    "q": [[1, 0], [0, 2], [2, 0], [3, 1]],
    "k": [[0, 0], [2, 0], [0, 2], [1, 0]],
    "v": [[0, 0], [4, 0], [0, 4], [1, 1]],
}


class Lookup(Example):
    """The example, and the stages for one query; every list but `query` and `output` has one entry per key."""

    token: int
    query: Vector
    """The query that looks: the token's own, or the one that was given."""
    scores: Vector
    """q . k_j"""
    divisor: float
    """sqrt(d_k), or 1 where scores are not scaled."""
    scaled: list[float | None]
    """q . k_j / divisor + M; None where the mask forbids the key."""
    exponentials: list[float | None]
    """exp of `scaled`; None where that overflows."""
    total: float | None
    """The sum of `exponentials`; None where it overflows."""
    weights: Vector
    """softmax of `scaled`; sums to 1."""
    weighted: Matrix
    """weight_j times v_j."""
    output: Vector
    """The sum of `weighted`."""


def lookup(
    token: int,
    example: Example = EXAMPLE,
    mask: str = "bidirectional",
    scale: bool = True,
    query: Sequence[float] | None = None,
) -> Lookup:
    """Attention of one token over all, stage by stage (Vaswani et al. 2017, section 3.2.1, equation 1).

    `token` counts from 0; without `scale` the scores are not divided by sqrt(d_k); `query`, d_k numbers, stands in for
    the token's own. Raises `ValueError` for a token that is not there, numbers that do not fit together, or an unknown
    mask.
    """
    q, k, v = (finite(values, what, 2) for what, values in _vectors(example).items())
    T, d_k = q.shape
    if k.shape != q.shape or len(v) != T or len(example["tokens"]) != T:
        raise ValueError(
            "Every token needs a query, a key and a value, with queries as long as keys, but the shapes are "
            f"{q.shape}, {k.shape} and {v.shape} for {len(example['tokens'])} tokens."
        )
    asked = q[whole("token", token, 0, T - 1)]  # (d_k,)
    if query is not None:
        asked = finite(query, "query", 1)
        if len(asked) != d_k:
            raise ValueError(f"query must have {d_k} numbers, as many as a key, but it has {len(asked)}.")
    scores = k @ asked  # (T,)
    divisor = sqrt(d_k) if scale else 1.0
    scaled = scores / divisor + masks.additive(mask, T)[token]
    with np.errstate(over="ignore"):
        exponentials = np.exp(scaled)  # (T,); softmax itself first takes off the largest score, which cancels
        total = np.add.reduce(exponentials)
    weights = softmax(scaled)  # (T,)
    weighted = weights[:, None] * v  # (T, d_v)
    return {
        "tokens": list(example["tokens"]),
        "q": plain(q),
        "k": plain(k),
        "v": plain(v),
        "token": int(token),
        "query": plain(asked),
        "scores": plain(scores),
        "divisor": divisor,
        "scaled": plain(scaled),
        "exponentials": plain(exponentials),
        "total": plain(total),
        "weights": plain(weights),
        "weighted": plain(weighted),
        "output": plain(np.add.reduce(weighted)),  # (d_v,)
    }


def _vectors(example: Example) -> dict[str, Any]:
    return {"q": example["q"], "k": example["k"], "v": example["v"]}
