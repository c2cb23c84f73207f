"""The causal mask: what it does to the weights, and which outputs a changed token can reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from .. import masks
from ..layers import softmax
from ..model import MicroTransformer
from .plain import MaskedMatrix, Matrix, Vector, choice, finite, plain, whole


class Masked(TypedDict):
    """All (T, T): rows are queries, columns keys. None stands for -inf."""

    mask: MaskedMatrix
    scores: MaskedMatrix
    """The scores plus the mask."""
    weights: Matrix
    """softmax of each row: exactly 0 where the mask forbids."""
    sums: Vector
    """Sum of each row of `weights`, (T,)."""


def masked_softmax(scores: Sequence[Sequence[float]], mask: str = "causal") -> Masked:
    """M, S + M and P = softmax(S + M) for scores (T, T) (Vaswani et al. 2017, section 3.2.3).

    Raises `ValueError` for scores that are not a square of finite numbers, or an unknown mask.
    """
    S = finite(scores, "scores", 2)
    if S.shape[0] != S.shape[1]:
        raise ValueError(f"scores must have as many rows as columns, but they have {S.shape[0]} and {S.shape[1]}.")
    M = masks.additive(mask, len(S))  # (T, T)
    P = softmax(S + M)  # (T, T)
    return {"mask": plain(M), "scores": plain(S + M), "weights": plain(P), "sums": plain(np.add.reduce(P, axis=-1))}


class Change(TypedDict):
    """What happens to the logits when one token is replaced."""

    position: int
    change: Vector
    """Largest change of any logit at each position, (T,), over all replacements; exactly 0 where none can be seen."""
    visible: list[bool]
    """Whether the mask lets each position see the changed one, (T,)."""


def change_token(model: MicroTransformer, tokens: Sequence[int], mask: str, position: int) -> Change:
    """Replace the token at `position` by every other token kind, and see which outputs move.

    `tokens` is one sequence of T, position counts from 0, `mask` is a name. Raises `ValueError` for a wrong one.
    """
    cfg = model.cfg
    choice("mask", mask, list(masks.MASKS))
    whole("position", position, 0, cfg.seq_len - 1)
    before = np.tile(np.asarray(tokens), (cfg.vocab_size - 1, 1))  # (V-1, T)
    if before.shape[1] != cfg.seq_len:
        raise ValueError(f"tokens must be one sequence of {cfg.seq_len} tokens, but there are {before.shape[1]}.")
    after = before.copy()
    after[:, position] = (before[:, position] + np.arange(1, cfg.vocab_size)) % cfg.vocab_size
    M = masks.additive(mask, cfg.seq_len)
    # Two batches of one shape, so that both are rounded alike and what cannot change is equal bit for bit.
    moved = np.abs(model.forward(after, M) - model.forward(before, M))  # (V-1, T, V)
    return {
        "position": int(position),
        "change": plain(moved.max(axis=(0, 2))),
        "visible": masks.allowed(mask, cfg.seq_len)[:, position].tolist(),
    }
