"""How the gradient travels back through many layers, for each place of the norm, before any training."""

from __future__ import annotations

from math import sqrt
from typing import TypedDict, cast

import numpy as np

from .. import masks
from ..config import ModelConfig, Norm
from ..layers import Array
from ..model import MicroTransformer
from ..parameters import EMBED_STD
from ..tasks import TASKS
from .plain import MAX_SEED, plain, whole

BATCH = 16


class Depth(TypedDict):
    """Means over the seeds; None where a norm is not finite."""

    norm: str
    n_layers: int
    stream: list[float | None]
    """|dL/dx| at the input of each layer and, last, at the output of the last one, (L+1,)."""
    weights: list[float | None]
    """|dL/dW| over all matrices of each layer, (L,)."""
    stream_ratio: float | None
    """stream at the first layer's input over stream at the last layer's input."""
    weights_ratio: float | None
    """weights of the first layer over weights of the last."""


def gradient_by_depth(
    n_layers: int,
    norm: str,
    scale_residual: bool = True,
    d_model: int = 32,
    n_heads: int = 2,
    seeds: int = 3,
    seed: int = 0,
) -> Depth:
    """One forward and one backward pass of an untrained `MicroTransformer`: L2 norms of the gradient, layer by layer.

    16 sequences of 4 tokens to be reversed under the causal mask. The embeddings start with variance 1, not
    `EMBED_STD`, whose small stream the first norms would magnify, and its gradient with it. With `scale_residual` W_O
    and W_down start as in `parameters.initialise`, divided by sqrt(2 L) (Radford et al. 2019, section 2.3); without it
    as every other matrix does, as Xiong et al. 2020 (section 3.3) assume when they compare norm="post" with "pre".
    With norm="none" the stream then overflows in deep models. `seeds` models are averaged, from `seed` on.

    Raises `ValueError` for a setting that `ModelConfig` refuses. About 1 ms per layer and seed.
    """
    cfg = ModelConfig(d_model=d_model, n_heads=n_heads, n_layers=n_layers, d_ff=2 * d_model, norm=cast(Norm, norm))
    whole("seed", seed, 0, MAX_SEED)
    with np.errstate(all="ignore"):  # a stream that overflows is the finding, not a fault
        runs = [_norms(cfg, scale_residual, seed + i) for i in range(whole("seeds", seeds, 1, 100))]
        stream, weights = (np.mean(norms, axis=0) for norms in zip(*runs, strict=True))  # (L+1,), (L,)
        stream_ratio, weights_ratio = stream[0] / stream[-2], weights[0] / weights[-1]
    return {
        "norm": norm,
        "n_layers": n_layers,
        "stream": plain(stream),
        "weights": plain(weights),
        "stream_ratio": plain(stream_ratio),
        "weights_ratio": plain(weights_ratio),
    }


def _norms(cfg: ModelConfig, scale_residual: bool, seed: int) -> tuple[Array, Array]:
    """Of one model: |dL/dx| (L+1,) and |dL/dW| (L,)."""
    model = MicroTransformer(cfg, seed, np.float64)
    for name, W in model.params.items():
        if name.startswith("embed."):
            W /= EMBED_STD * sqrt(2)  # tokens + positions: variance 1/2 each
        elif name.endswith(("W_O", "W_down")) and not scale_residual:
            W *= sqrt(2 * cfg.n_layers)
    tokens = np.random.default_rng([seed, 2]).integers(0, cfg.vocab_size, (BATCH, cfg.seq_len))  # (B, T)
    M = masks.additive("causal", cfg.seq_len)
    stream, grads = model.stream_gradients(tokens, TASKS["reverse"].target(tokens), M)
    squares = np.zeros(cfg.n_layers)
    for name, dW in grads.items():
        if dW.ndim == 2 and name.startswith("layers."):
            squares[int(name.split(".")[1])] += np.square(dW).sum()
    return np.sqrt(np.square(stream).sum(axis=(1, 2, 3))), np.sqrt(squares)
