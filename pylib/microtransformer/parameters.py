"""Where each parameter lives in the one flat vector, and how it starts.

Every parameter is a view into `theta`, so the optimiser, a snapshot and a file each handle one array. W_Q, W_K
and W_V lie side by side, and so do W_gate and W_up: one stacked matrix product then does the work of three or two.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod, sqrt

import numpy as np
from numpy.typing import DTypeLike

from .config import ModelConfig
from .layers import Array

Shape = tuple[int, ...]
Views = dict[str, Array]


def layout(cfg: ModelConfig) -> Iterator[tuple[str, Shape]]:
    """(name, shape) of every parameter, in the order of the flat vector.

    A parameter that the configuration does not use does not exist: no `embed.positions` without positions, no
    norm gains with norm="none", and no `norm_out` unless norm="pre" (a post-norm block ends normalised).
    """
    V, T, d, f = cfg.vocab_size, cfg.seq_len, cfg.d_model, cfg.d_ff
    yield "embed.tokens", (V, d)
    if cfg.positions:
        yield "embed.positions", (T, d)
    for layer in range(cfg.n_layers):
        at = f"layers.{layer}."
        if cfg.norm != "none":
            yield at + "norm_attn", (d,)
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            yield at + name, (d, d)
        if cfg.norm != "none":
            yield at + "norm_ffn", (d,)
        yield at + "W_gate", (d, f)
        yield at + "W_up", (d, f)
        yield at + "W_down", (f, d)
    if cfg.norm == "pre":
        yield "norm_out", (d,)
    yield "W_U", (d, V)


def count(cfg: ModelConfig) -> int:
    """Number of parameters."""
    return sum(prod(shape) for _, shape in layout(cfg))


def views(cfg: ModelConfig, flat: Array) -> Views:
    """Name -> view into `flat`, (count(cfg),)."""
    out: Views = {}
    start = 0
    for name, shape in layout(cfg):
        out[name] = flat[start : start + prod(shape)].reshape(shape)
        start += prod(shape)
    return out


def stacks(cfg: ModelConfig, flat: Array) -> Views:
    """The same numbers as the engine multiplies with them: `W_QKV` (3, d, d) and `W_gate_up` (2, d, f) per layer."""
    d, f = cfg.d_model, cfg.d_ff
    merged = {"W_Q": ("W_QKV", (3, d, d)), "W_gate": ("W_gate_up", (2, d, f))}
    out: Views = {}
    start = 0
    for name, shape in layout(cfg):
        prefix, _, last = name.rpartition(".")
        if last in merged:
            stack, stack_shape = merged[last]
            out[f"{prefix}.{stack}"] = flat[start : start + prod(stack_shape)].reshape(stack_shape)
        start += prod(shape)
    return out


def initialise(cfg: ModelConfig, seed: int, dtype: DTypeLike) -> Array:
    """A fresh flat vector: gains 1, every matrix normal with mean 0.

    Standard deviations: 1/sqrt(rows) for a matrix that reads the stream, so that its output has about the variance
    of its input; that divided by sqrt(2L) for W_O and W_down, which each add to the stream 2L times in all
    (Radford et al. 2019, section 2.3); EMBED_STD for the embeddings; UNEMBED_GAIN/sqrt(d) for W_U, small enough that
    the untrained model guesses: its logits have a standard deviation of about UNEMBED_GAIN, so its cross-entropy is
    ln V to within a few per cent.
    """
    rng = np.random.default_rng([seed, 1])  # 1: the stream of the weights
    # Drawn in float64 and rounded: float32 and float64 models of one seed start at the same point.
    flat = np.empty(count(cfg))
    for name, view in views(cfg, flat).items():
        last = name.rpartition(".")[2]
        if last.startswith("norm_"):
            view[:] = 1
        else:
            if name.startswith("embed."):
                std = EMBED_STD
            elif last == "W_U":
                std = UNEMBED_GAIN / sqrt(cfg.d_model)
            else:
                std = 1 / sqrt(view.shape[0])
                if last in ("W_O", "W_down"):
                    std /= sqrt(2 * cfg.n_layers)
            view[:] = std * rng.standard_normal(view.shape)
    return flat.astype(dtype)


EMBED_STD = 0.1
UNEMBED_GAIN = 0.113
