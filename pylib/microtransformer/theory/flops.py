"""Floating-point operations of a layer: where attention overtakes the linear layers.

A multiplication with its addition counts as 2, for one sequence of T tokens, as in Hoffmann et al. 2022, appendix F.
Only matrix products are counted: norms, softmax and activations are left out.
"""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from ..config import ModelConfig
from .plain import Vector, whole

LIMIT = 10**9
"""Largest size that is accepted: far beyond any model, and a guard against a slip of the keyboard."""


class LayerFlops(TypedDict):
    """Operations of one layer for one sequence, and shares from 0 to 1."""

    qkv: float
    """Projections to queries, keys and values: 6 T d^2, or 2 T d (d + 2 d_kv)."""
    scores: float
    """Q K^T over all heads: 2 T^2 d."""
    values: float
    """P V over all heads: 2 T^2 d."""
    output: float
    """O_concat W_O: 2 T d^2."""
    feedforward: float
    """16 T d^2 with two matrices of hidden width 4 d; 6 T d f with the three of SwiGLU."""
    linear: float
    """qkv + output + feedforward: 24 T d^2, grows with T."""
    quadratic: float
    """scores + values: 4 T^2 d, grows with the square of T."""
    total: float
    linear_share: float
    feedforward_share: float
    quadratic_share: float


def layer_flops(
    T: int, d: int, d_ff: int | None = None, gated: bool = False, d_kv: int | None = None, causal_half: bool = False
) -> LayerFlops:
    """Operations of one layer: 24 T d^2 + 4 T^2 d for the layer of Vaswani et al. 2017.

    `d_ff` is the hidden width (4 d by default); `gated` counts the three matrices of SwiGLU, which at 8 d / 3 cost the
    same 16 T d^2 (Shazeer 2020, section 2); `d_kv` is the width of all keys together, less than d with grouped
    queries (Ainslie et al. 2023); `causal_half` counts half the pairs, as a kernel that skips masked blocks computes
    (Dao 2023, section 4.1). Raises `ValueError` for a size below 1 or above 1,000,000,000.
    """
    T, d = whole("T", T, 1, LIMIT), whole("d", d, 1, LIMIT)
    f = 4 * d if d_ff is None else whole("d_ff", d_ff, 1, LIMIT)
    kv = d if d_kv is None else whole("d_kv", d_kv, 1, LIMIT)
    # Counted in whole numbers and returned as floats: beyond 2^53, JavaScript would get numbers of another type.
    pairs_product = float(2 * T * T * d // (2 if causal_half else 1))  # Q K^T, and P V as well
    qkv, output = float(2 * T * d * (d + 2 * kv)), float(2 * T * d * d)
    feedforward = float(2 * (3 if gated else 2) * T * d * f)
    linear, quadratic = qkv + output + feedforward, 2 * pairs_product
    total = linear + quadratic
    return {
        "qkv": qkv,
        "scores": pairs_product,
        "values": pairs_product,
        "output": output,
        "feedforward": feedforward,
        "linear": linear,
        "quadratic": quadratic,
        "total": total,
        "linear_share": linear / total,
        "feedforward_share": feedforward / total,
        "quadratic_share": quadratic / total,
    }


def crossover(
    d: int, d_ff: int | None = None, gated: bool = False, d_kv: int | None = None, causal_half: bool = False
) -> float:
    """The T beyond which `quadratic` exceeds `linear`: 6 d for the layer of Vaswani et al., 12 d with the causal half.

    Arguments as in `layer_flops`. With T tokens, linear = a T and quadratic = b T^2, so T = a / b.
    """
    # Two tokens, so that the causal half is a whole number: linear = 2 a, quadratic = 4 b.
    two = layer_flops(2, d, d_ff, gated, d_kv, causal_half)
    return 2 * two["linear"] / two["quadratic"]


class FlopCurve(TypedDict):
    """Curves over the number of tokens; all lists are equally long."""

    T: list[int]
    linear: Vector
    quadratic: Vector
    quadratic_share: Vector


def flop_curve(
    d: int,
    d_ff: int | None = None,
    gated: bool = False,
    d_kv: int | None = None,
    causal_half: bool = False,
    shortest: int = 128,
    longest: int = 2**20,
    points: int = 64,
) -> FlopCurve:
    """`layer_flops` at `points` lengths from `shortest` to `longest`, even on a log axis, rounded, each once."""
    shortest, longest = whole("shortest", shortest, 1, LIMIT), whole("longest", longest, 1, LIMIT)
    spaced = np.geomspace(shortest, longest, whole("points", points, 2, 1000))
    lengths = [int(T) for T in np.unique(np.rint(spaced))]
    found = [layer_flops(T, d, d_ff, gated, d_kv, causal_half) for T in lengths]
    return {
        "T": lengths,
        "linear": [flops["linear"] for flops in found],
        "quadratic": [flops["quadratic"] for flops in found],
        "quadratic_share": [flops["quadratic_share"] for flops in found],
    }


class ModelFlops(TypedDict):
    """Operations of one forward pass of a micro-Transformer."""

    layer: LayerFlops
    """One layer and one sequence."""
    layers: float
    """All layers and all sequences."""
    unembedding: float
    """X_out W_U: 2 B T d V."""
    total: float


def model_flops(cfg: ModelConfig, batch: int = 1) -> ModelFlops:
    """Matrix products of `MicroTransformer.forward` for `batch` sequences; embedding a token needs none."""
    B = whole("batch", batch, 1, LIMIT)
    layer = layer_flops(cfg.seq_len, cfg.d_model, cfg.d_ff, gated=True)
    layers = B * cfg.n_layers * layer["total"]
    unembedding = float(2 * B * cfg.seq_len * cfg.d_model * cfg.vocab_size)
    return {"layer": layer, "layers": layers, "unembedding": unembedding, "total": layers + unembedding}
