"""The micro-Transformer: embedding, blocks, unembedding, and the gradient of its loss.

x      = embed.tokens[token] + embed.positions[position]
x      = block(x)                         for each layer
logits = RMSNorm(x) W_U                   without the RMSNorm unless norm="pre"
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import archive, masks, parameters, weights
from .block import block, block_backward, named_tensors
from .config import ModelConfig
from .layers import (
    Array,
    cross_entropy,
    cross_entropy_backward,
    linear,
    linear_backward,
    rms_norm,
    rms_norm_backward,
)

Tokens = NDArray[np.integer[Any]]


class MicroTransformer:
    """A decoder-only or encoder-only Transformer, depending on the mask it is given.

    `theta` is the flat parameter vector; `params` maps each name to its view in it. Change either in place only.
    `seed` decides the initial weights; pass `theta` to start from given ones (it is used, not copied).
    """

    def __init__(
        self, cfg: ModelConfig, seed: int = 0, dtype: DTypeLike = np.float32, theta: Array | None = None
    ) -> None:
        self.cfg = cfg
        if theta is None:
            if np.dtype(dtype) not in (np.float32, np.float64):
                raise ValueError(f"dtype must be float32 or float64, but it is {np.dtype(dtype)}.")
            theta = parameters.initialise(cfg, seed, dtype)
        elif theta.shape != (parameters.count(cfg),):
            raise ValueError(
                f"This configuration has {parameters.count(cfg):,} parameters in one flat vector, "
                f"but theta has shape {theta.shape}."
            )
        self.theta = theta
        self.params = parameters.views(cfg, theta)
        self._weights = self.params | parameters.stacks(cfg, theta)
        self._gradient: tuple[Array | None, parameters.Views] = (None, {})

    def forward(self, tokens: Tokens, M: Array) -> Array:
        """Logits (B, T, V) for tokens (B, T) under the additive mask M (T, T).

        Raises `ValueError` for a wrong shape, a token outside 0 to V-1, or a mask row that allows nothing.
        """
        self._check(tokens, M)
        logits, _ = self._run(tokens, M)
        return logits.reshape(*tokens.shape, -1)

    def loss_and_grads(self, tokens: Tokens, targets: Tokens, M: Array) -> tuple[float, dict[str, Array]]:
        """Mean cross-entropy in nats over the B*T targets, and its gradient for every parameter.

        tokens, targets (B, T), M (T, T); the gradients have the names and shapes of `params`.
        """
        self._check(tokens, M, targets)
        loss, flat = self.loss_and_gradient(tokens, targets, M)
        return loss, parameters.views(self.cfg, flat)

    def loss_and_gradient(
        self, tokens: Tokens, targets: Tokens, M: Array, out: Array | None = None, stream: list[Array] | None = None
    ) -> tuple[float, Array]:
        """As `loss_and_grads`, with the gradient as one vector in the order of `theta`: `out`, if it is given.

        `stream`, if it is given, collects the gradient with respect to the stream, (N, d), from the last block's output
        to the first block's input. Does not check its arguments: a trainer's are right, and the same in every step.
        """
        logits, cache = self._run(tokens, M)
        nll, ce_cache = cross_entropy(logits, targets.reshape(-1))
        flat = np.empty_like(self.theta) if out is None else out
        self._backward(cross_entropy_backward(ce_cache), cache, self._views_of(flat), stream)
        return float(nll.mean(dtype=np.float64)), flat

    def stream_gradients(self, tokens: Tokens, targets: Tokens, M: Array) -> tuple[Array, dict[str, Array]]:
        """The gradient of the loss on its way back through the layers, and that of every parameter.

        The first array is (L+1, B, T, d): entry l is the gradient with respect to the input of block l, entry L with
        respect to the output of the last block. The rest is as in `loss_and_grads`.
        """
        self._check(tokens, M, targets)
        stream: list[Array] = []
        _, flat = self.loss_and_gradient(tokens, targets, M, stream=stream)
        shape = (-1, *tokens.shape, self.cfg.d_model)
        return np.stack(stream[::-1]).reshape(shape), parameters.views(self.cfg, flat)

    def trace(self, tokens: Tokens, M: Array) -> dict[str, Array]:
        """Every named tensor of the forward pass, batch first.

        `embed` (B, T, d); per layer l `layers.{l}.` with x_in, X, Y, O_concat, x_mid, X_ffn, Y_ffn, x_out (B, T, d),
        Q, K, V, O (B, H, T, d_k), S, P (B, H, T, T), gate, up, hidden (B, T, f); `X_out` (B, T, d), which W_U
        reads, and `logits` (B, T, V).
        """
        self._check(tokens, M)
        logits, cache = self._run(tokens, M)
        shape = (*tokens.shape, -1)
        tensors = {"embed": cache["blocks"][0]["attn"]["x"].reshape(shape)}
        for layer, block_cache in enumerate(cache["blocks"]):
            for name, tensor in named_tensors(block_cache, self.cfg).items():
                tensors[f"layers.{layer}.{name}"] = tensor
        return tensors | {"X_out": cache["unembed"][0].reshape(shape), "logits": logits.reshape(shape)}

    def save(self, file: archive.File, about: dict[str, Any] | None = None) -> None:
        """Write the parameters, by their names, and the settings to one `.npz`; `about` is kept with the settings."""
        weights.save(self.cfg, self.params, about or {}, file)

    @staticmethod
    def load(file: archive.File) -> MicroTransformer:
        """The model that `save` wrote. Raises `ValueError` for any other file."""
        cfg, theta = weights.load(file)
        return MicroTransformer(cfg, theta=theta)

    def _check(self, tokens: Tokens, M: Array, targets: Tokens | None = None) -> None:
        self._check_tokens(tokens, "tokens")
        masks.check(M, self.cfg.seq_len)
        if targets is not None:
            self._check_tokens(targets, "targets")

    def _check_tokens(self, tokens: Tokens, what: str) -> None:
        """Refuse what is not B sequences of T tokens from 0 to V-1."""
        T, V = self.cfg.seq_len, self.cfg.vocab_size
        if tokens.ndim != 2 or tokens.shape[1] != T or not len(tokens):
            raise ValueError(f"{what} must have shape (B, {T}) with B >= 1, but the shape is {tokens.shape}.")
        if tokens.dtype.kind not in "iu":
            raise ValueError(f"{what} must be integers, but they are {tokens.dtype}.")
        if tokens.min() < 0 or tokens.max() >= V:
            raise ValueError(f"{what} must lie between 0 and {V - 1}; found {tokens.min()} to {tokens.max()}.")

    def _run(self, tokens: Tokens, M: Array) -> tuple[Array, dict[str, Any]]:
        """Logits (N, V), and what the backward pass needs."""
        cfg, w = self.cfg, self._weights
        flat = tokens.reshape(-1)  # (N,)
        M = M.astype(self.theta.dtype, copy=False)  # a float64 mask must not widen a float32 model
        x = w["embed.tokens"][flat]  # (N, d)
        if cfg.positions:
            x = (x.reshape(*tokens.shape, -1) + w["embed.positions"]).reshape(x.shape)  # (B, T, d) + (T, d)
        blocks = []
        for layer in range(cfg.n_layers):
            x, cache = block(x, w, f"layers.{layer}.", M, cfg)
            blocks.append(cache)
        norm = None
        if cfg.norm == "pre":
            x, norm = rms_norm(x, w["norm_out"], cfg.rms_eps)
        logits, unembed = linear(x, w["W_U"])  # (N, V)
        return logits, {"tokens": flat, "blocks": blocks, "norm": norm, "unembed": unembed}

    def _views_of(self, flat: Array) -> parameters.Views:
        """Views of a gradient vector, kept for the next step: a trainer uses one vector throughout."""
        if self._gradient[0] is not flat:
            self._gradient = (flat, parameters.views(self.cfg, flat) | parameters.stacks(self.cfg, flat))
        return self._gradient[1]

    def _backward(
        self, dlogits: Array, cache: dict[str, Any], grad: parameters.Views, stream: list[Array] | None
    ) -> None:
        """Write the gradient with respect to every parameter into the views `grad`; `stream` as in its caller."""
        cfg = self.cfg
        dx = linear_backward(dlogits, cache["unembed"], grad["W_U"])  # (N, d)
        if cfg.norm == "pre":
            dx = rms_norm_backward(dx, cache["norm"], grad["norm_out"])
        for layer in reversed(range(cfg.n_layers)):
            if stream is not None:
                stream.append(dx)
            dx = block_backward(dx, cache["blocks"][layer], grad, f"layers.{layer}.", cfg)
        if stream is not None:
            stream.append(dx)
        # Row v gathers every place where token v stood: onehot^T dx, as a matrix product.
        onehot = np.eye(cfg.vocab_size, dtype=dx.dtype)[cache["tokens"]]  # (N, V)
        np.matmul(onehot.T, dx, out=grad["embed.tokens"])
        if cfg.positions:
            dx.reshape(-1, cfg.seq_len, cfg.d_model).sum(axis=0, out=grad["embed.positions"])
