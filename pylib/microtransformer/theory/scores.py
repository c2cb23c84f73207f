"""Why scores are divided by sqrt(d_k): the spread of q . k, and what softmax makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import TypedDict

import numpy as np

from .. import masks
from ..config import _real
from ..layers import Array, softmax
from ..model import MicroTransformer, Tokens
from .plain import MAX_SEED, Vector, plain, whole

MAX_D_K = 512
DRAWN = 2**18
"""Numbers drawn for the queries, and as many for the keys, at most: a call takes a few milliseconds."""
MAX_SCORES = 2**16


class Softened(TypedDict):
    """What softmax makes of scores, on average over the rows."""

    std: float
    """Standard deviation of the scores."""
    max_probability: float
    """Mean of the largest probability of a row, 1/T to 1."""
    entropy: float
    """Mean entropy of a row in nats, 0 to ln T."""
    ranked: Vector
    """Probabilities of a row from the largest to the smallest, (T,), on average over the rows."""
    density: Vector
    """Histogram of the scores: share per unit of score, one entry per bin."""
    outside: float
    """Share of scores beyond the first and last edge."""


class ScoreSpread(TypedDict):
    """Random queries and keys of width `d_k`; `unscaled` is of q . k, `scaled` of q . k / sqrt(d_k)."""

    d_k: int
    tokens: int
    scores: int
    """How many scores were drawn."""
    uniform_entropy: float
    """ln T: the entropy of a row that attends to all keys equally."""
    predicted: float
    """sqrt(d_k): the standard deviation of q . k."""
    edges: Vector
    """Edges of the bins, one more than there are bins; the same for both histograms."""
    unscaled: Softened
    scaled: Softened


def score_spread(d_k: int, seed: int = 0, tokens: int = 16, reach: float = 40.0, bins: int = 160) -> ScoreSpread:
    """Draw queries and keys with independent normal entries of mean 0 and variance 1, and score them.

    The variance of q . k is then d_k (Vaswani et al. 2017, section 3.2.1, footnote 4). The scores come as attention
    makes them, T queries against T keys, from as many sequences as `DRAWN` allows; `reach` is the largest score in
    the histograms. Raises `ValueError` for d_k outside 1 to 512, T outside 2 to 64, or a
    wrong seed. About 10 ms.
    """
    _real("reach", reach, 0.0, float("inf"), low_open=True)
    d_k, T = whole("d_k", d_k, 1, MAX_D_K), whole("tokens", tokens, 2, 64)
    sequences = min(DRAWN // (T * d_k), MAX_SCORES // T**2)
    rng = np.random.default_rng(whole("seed", seed, 0, MAX_SEED))
    Q, K = rng.standard_normal((2, sequences, T, d_k), dtype=np.float32)
    S = Q @ K.swapaxes(-1, -2)  # (sequences, T, T)
    edges = np.linspace(-reach, reach, whole("bins", bins, 1, 1000) + 1)
    return {
        "d_k": d_k,
        "tokens": T,
        "scores": S.size,
        "uniform_entropy": log(T),
        "predicted": sqrt(d_k),
        "edges": plain(edges),
        "unscaled": _soften(S, edges),
        "scaled": _soften(S * np.float32(d_k**-0.5), edges),
    }


def spread_by_width(
    widths: Sequence[int] = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512), seed: int = 0
) -> list[ScoreSpread]:
    """`score_spread` for several d_k: about 10 ms each."""
    return [score_spread(d_k, seed) for d_k in widths]


def _soften(S: Array, edges: Array) -> Softened:
    P = softmax(S)
    log_P = np.log(P, out=np.zeros_like(P), where=P > 0)  # 0 log 0 is 0
    ranked = plain(np.sort(P.reshape(-1, P.shape[-1]))[:, ::-1].mean(axis=0, dtype=np.float64))
    counts, _ = np.histogram(S, edges)
    return {
        "std": float(S.std(dtype=np.float64)),
        "max_probability": ranked[0],
        "entropy": 0.0 - float((P * log_P).sum(axis=-1).mean(dtype=np.float64)),
        "ranked": ranked,
        "density": plain(counts / (S.size * np.diff(edges))),
        "outside": float(1 - counts.sum() / S.size),
    }


class HeadSpread(TypedDict):
    """The scores of one head of a model, over all pairs that the mask allows."""

    layer: int
    head: int
    std: float
    """Standard deviation of q . k."""
    std_scaled: float
    """Standard deviation of q . k / sqrt(d_k)."""
    mean: float
    """Mean of q . k; 0 under the assumptions."""
    q_size: float
    k_size: float
    """Root mean square of the entries of q and of k; 1 under the assumptions."""
    predicted: float
    """sqrt(d_k), which needs all assumptions."""
    if_independent: float
    """sqrt(d_k) * q_size * k_size: what entries of these sizes would give if they were independent with mean 0."""


def model_score_spread(model: MicroTransformer, tokens: Tokens, mask: str) -> list[HeadSpread]:
    """The spread of a model's own scores, layer by layer and head by head, for tokens (B, T) under a named mask.

    Where the assumptions fail: `q_size` and `k_size` are not 1, and training makes queries and keys depend on each
    other, so that `std` is not `if_independent`. Raises `ValueError` as `MicroTransformer.trace` does. About
    10 ms for 256 sequences.
    """
    cfg = model.cfg
    trace = model.trace(tokens, masks.additive(mask, cfg.seq_len))
    allowed = masks.allowed(mask, cfg.seq_len)
    found: list[HeadSpread] = []
    for layer in range(cfg.n_layers):
        Q, K = (trace[f"layers.{layer}.{name}"].astype(np.float64) for name in ("Q", "K"))  # (B, H, T, d_k)
        scores = (Q @ K.swapaxes(-1, -2))[..., allowed]  # (B, H, allowed pairs)
        for head in range(cfg.n_heads):
            q_size, k_size = (float(np.sqrt(np.square(A[:, head]).mean())) for A in (Q, K))
            std = float(scores[:, head].std())
            found.append(
                {
                    "layer": layer,
                    "head": head,
                    "std": std,
                    "std_scaled": std / sqrt(cfg.d_k),
                    "mean": float(scores[:, head].mean()),
                    "q_size": q_size,
                    "k_size": k_size,
                    "predicted": sqrt(cfg.d_k),
                    "if_independent": sqrt(cfg.d_k) * q_size * k_size,
                }
            )
    return found
