"""How the gradient travels back through many layers, for each place of the norm, before any training."""

from __future__ import annotations

from math import sqrt
from typing import TypedDict, cast

import numpy as np

from .. import masks
from ..config import ModelConfig, Norm
from ..layers import Array
from ..model import MicroTransformer, Tokens
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
    cfg = _config(n_layers, norm, d_model, n_heads)
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


class Course(TypedDict):
    """The gradient's way back through the stream; None where a number is not finite."""

    stream: list[float | None]
    """|dL/dx| at the input of each layer and, last, at the output of the last one, (L+1,)."""
    growth: float | None
    """The first entry of `stream` over its last: what all layers together do to the gradient."""
    factor: float | None
    """growth^(1/L): what one layer does, on average."""
    first_half: float | None
    """`factor` for layers 1 to L // 2 alone; None in a model of one layer."""
    last_half: float | None
    """`factor` for the layers behind them."""
    overflow: int | None
    """The first layer, from 1, whose output is not finite; None where every one is."""


class GradientPicture(TypedDict):
    """One untrained model for each place of the norm."""

    n_layers: int
    d_model: int
    scale_residual: bool
    pre: Course
    post: Course
    none: Course


def gradient_picture(
    n_layers: int, scale_residual: bool = False, d_model: int = 32, n_heads: int = 2, seed: int = 0
) -> GradientPicture:
    """`gradient_by_depth` for each place of the norm, with one seed and the same sequences. About 3 ms per layer."""
    whole("seed", seed, 0, MAX_SEED)
    courses = {}
    for norm in ("pre", "post", "none"):
        cfg = _config(n_layers, norm, d_model, n_heads)
        with np.errstate(all="ignore"):
            courses[norm] = _course(cfg, scale_residual, seed)
    return {
        "n_layers": n_layers,
        "d_model": d_model,
        "scale_residual": scale_residual,
        "pre": courses["pre"],
        "post": courses["post"],
        "none": courses["none"],
    }


def _course(cfg: ModelConfig, scale_residual: bool, seed: int) -> Course:
    stream, _ = _norms(cfg, scale_residual, seed)  # (L+1,)
    L, half = cfg.n_layers, cfg.n_layers // 2

    def factor(first: int, last: int) -> float | None:
        """Mean factor of one layer between two entries of the stream."""
        value: float | None = plain((stream[first] / stream[last]) ** (1 / (last - first)))
        return value

    return {
        "stream": plain(stream),
        "growth": plain(stream[0] / stream[L]),
        "factor": factor(0, L),
        "first_half": factor(0, half) if half else None,
        "last_half": factor(half, L),
        "overflow": None if np.isfinite(stream).all() else _overflow(cfg, scale_residual, seed),
    }


def _overflow(cfg: ModelConfig, scale_residual: bool, seed: int) -> int | None:
    """The first layer, from 1, whose output is not finite, if there is one."""
    trace = _model(cfg, scale_residual, seed).trace(_tokens(cfg, seed), _mask(cfg))
    for layer in range(cfg.n_layers):
        if not np.isfinite(trace[f"layers.{layer}.x_out"]).all():
            return layer + 1
    return None


def _config(n_layers: int, norm: str, d_model: int, n_heads: int) -> ModelConfig:
    return ModelConfig(d_model=d_model, n_heads=n_heads, n_layers=n_layers, d_ff=2 * d_model, norm=cast(Norm, norm))


def _tokens(cfg: ModelConfig, seed: int) -> Tokens:
    return np.random.default_rng([seed, 2]).integers(0, cfg.vocab_size, (BATCH, cfg.seq_len))  # (B, T)


def _mask(cfg: ModelConfig) -> Array:
    return masks.additive("causal", cfg.seq_len)


def _model(cfg: ModelConfig, scale_residual: bool, seed: int) -> MicroTransformer:
    model = MicroTransformer(cfg, seed, np.float64)
    for name, W in model.params.items():
        if name.startswith("embed."):
            W /= EMBED_STD * sqrt(2)  # tokens + positions: variance 1/2 each
        elif name.endswith(("W_O", "W_down")) and not scale_residual:
            W *= sqrt(2 * cfg.n_layers)
    return model


def _norms(cfg: ModelConfig, scale_residual: bool, seed: int) -> tuple[Array, Array]:
    """Of one model: |dL/dx| (L+1,) and |dL/dW| (L,)."""
    tokens = _tokens(cfg, seed)
    model = _model(cfg, scale_residual, seed)
    stream, grads = model.stream_gradients(tokens, TASKS["reverse"].target(tokens), _mask(cfg))
    squares = np.zeros(cfg.n_layers)
    for name, dW in grads.items():
        if dW.ndim == 2 and name.startswith("layers."):
            squares[int(name.split(".")[1])] += np.square(dW).sum()
    return np.sqrt(np.square(stream).sum(axis=(1, 2, 3))), np.sqrt(squares)
