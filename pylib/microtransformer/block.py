"""One Transformer block: attention and feedforward, each added to the residual stream.

pre:   x += Attention(RMSNorm(x)) W_O;     x += FFN(RMSNorm(x))       (Xiong et al. 2020, figure 1b)
post:  x  = RMSNorm(x + Attention(x) W_O); x  = RMSNorm(x + FFN(x))   (Vaswani et al. 2017, with RMSNorm)
none:  x += Attention(x) W_O;              x += FFN(x)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .config import ModelConfig
from .layers import (
    Array,
    attention,
    attention_backward,
    linear,
    linear_backward,
    rms_norm,
    rms_norm_backward,
    swiglu,
    swiglu_backward,
)
from .parameters import Views

Cache = dict[str, Any]


def block(x: Array, w: Views, at: str, M: Array, cfg: ModelConfig) -> tuple[Array, Cache]:
    """x (N, d) -> x (N, d). `w` holds parameters and stacks by name, `at` is "layers.{l}."."""
    x_mid, attn = _residual(x, w.get(at + "norm_attn"), lambda h: _attend(h, w, at, M, cfg), cfg)
    x_out, ffn = _residual(x_mid, w.get(at + "norm_ffn"), lambda h: _feed(h, w, at), cfg)
    return x_out, {"attn": attn, "ffn": ffn}


def block_backward(dx: Array, cache: Cache, grad: Views, at: str, cfg: ModelConfig) -> Array:
    """Gradient with respect to the block's output -> with respect to its input; writes into `grad` in place."""
    dx = _residual_backward(
        dx, cache["ffn"], grad.get(at + "norm_ffn"), lambda dy, c: _feed_backward(dy, c, grad, at), cfg
    )
    return _residual_backward(
        dx, cache["attn"], grad.get(at + "norm_attn"), lambda dy, c: _attend_backward(dy, c, grad, at, cfg), cfg
    )


def _residual(
    x: Array, gain: Array | None, sublayer: Callable[[Array], tuple[Array, Cache]], cfg: ModelConfig
) -> tuple[Array, Cache]:
    """Add a sublayer to the stream, with the norm before it, after the addition, or nowhere."""
    h, norm = x, None
    if cfg.norm == "pre":
        assert gain is not None
        h, norm = rms_norm(x, gain, cfg.rms_eps)
    y, cache = sublayer(h)
    out: Array = x + y
    if cfg.norm == "post":
        assert gain is not None
        out, norm = rms_norm(out, gain, cfg.rms_eps)
    return out, {"x": x, "h": h, "y": y, "norm": norm, "sublayer": cache, "out": out}


def _residual_backward(
    dx: Array,
    cache: Cache,
    dgain: Array | None,
    sublayer_backward: Callable[[Array, Cache], Array],
    cfg: ModelConfig,
) -> Array:
    if cfg.norm == "post":
        assert dgain is not None
        dx = rms_norm_backward(dx, cache["norm"], dgain)
    dh = sublayer_backward(dx, cache["sublayer"])
    if cfg.norm == "pre":
        assert dgain is not None
        dh = rms_norm_backward(dh, cache["norm"], dgain)
    dh += dx  # the stream itself passes the gradient on unchanged
    return dh


def _heads(A: Array, T: int, H: int) -> Array:
    """(..., N, d) -> (..., B, H, T, d_k), a view: head h owns columns h*d_k to (h+1)*d_k."""
    lead = A.shape[:-2]
    return A.reshape(*lead, -1, T, H, A.shape[-1] // H).swapaxes(-3, -2)


def _attend(h: Array, w: Views, at: str, M: Array, cfg: ModelConfig) -> tuple[Array, Cache]:
    """Multi-head attention with its output projection. h (N, d) -> Y (N, d)."""
    T, H = cfg.seq_len, cfg.n_heads
    QKV, project = linear(h, w[at + "W_QKV"])  # (3, N, d)
    Q, K, V = _heads(QKV, T, H)  # 3 x (B, H, T, d_k)
    scale = cfg.d_k**-0.5 if cfg.scale_scores else 1.0
    O, attn = attention(Q, K, V, M, scale)  # (B, H, T, d_k)
    O_concat = O.swapaxes(1, 2).reshape(h.shape)  # (N, d): the heads side by side again
    Y, out = linear(O_concat, w[at + "W_O"])  # (N, d)
    return Y, {"project": project, "attention": attn, "O": O, "out": out}


def _attend_backward(dY: Array, cache: Cache, grad: Views, at: str, cfg: ModelConfig) -> Array:
    T, H = cfg.seq_len, cfg.n_heads
    dO_concat = linear_backward(dY, cache["out"], grad[at + "W_O"])  # (N, d)
    dQKV = np.empty((3, *dY.shape), dY.dtype)  # (3, N, d)
    dQ, dK, dV = _heads(dQKV, T, H)  # views: written in place below
    attention_backward(_heads(dO_concat, T, H), cache["attention"], dQ, dK, dV)
    return linear_backward(dQKV, cache["project"], grad[at + "W_QKV"])  # (N, d)


def _feed(h: Array, w: Views, at: str) -> tuple[Array, Cache]:
    """SwiGLU feedforward, W_down(silu(h W_gate) * (h W_up)). h (N, d) -> (N, d)."""
    gate_up, project = linear(h, w[at + "W_gate_up"])  # (2, N, f)
    hidden, glu = swiglu(*gate_up)  # (N, f)
    y, out = linear(hidden, w[at + "W_down"])  # (N, d)
    return y, {"project": project, "swiglu": glu, "out": out}


def _feed_backward(dY: Array, cache: Cache, grad: Views, at: str) -> Array:
    dhidden = linear_backward(dY, cache["out"], grad[at + "W_down"])  # (N, f)
    dgate_up = np.empty((2, *dhidden.shape), dhidden.dtype)  # (2, N, f)
    swiglu_backward(dhidden, cache["swiglu"], *dgate_up)
    return linear_backward(dgate_up, cache["project"], grad[at + "W_gate_up"])  # (N, d)


def named_tensors(cache: Cache, cfg: ModelConfig) -> dict[str, Array]:
    """The block's tensors under the names of the article's table, batch first."""
    T, d, f = cfg.seq_len, cfg.d_model, cfg.d_ff
    attn, ffn = cache["attn"], cache["ffn"]
    Q, K, V, S, P, _ = attn["sublayer"]["attention"]
    gate, up, _, _ = ffn["sublayer"]["swiglu"]
    rows = {
        "x_in": attn["x"],  # the residual stream as the block receives it
        "X": attn["h"],  # what W_Q, W_K and W_V read: the stream, normalised in a pre-norm block
        "O_concat": attn["sublayer"]["out"][0],
        "Y": attn["y"],
        "x_mid": attn["out"],
        "X_ffn": ffn["h"],  # what W_gate and W_up read
        "Y_ffn": ffn["y"],
        "x_out": ffn["out"],
    }
    tensors = {name: rows_.reshape(-1, T, d) for name, rows_ in rows.items()}  # (B, T, d)
    hidden = ffn["sublayer"]["out"][0]
    tensors |= {
        name: rows_.reshape(-1, T, f) for name, rows_ in (("gate", gate), ("up", up), ("hidden", hidden))
    }  # (B, T, f)
    tensors |= {"Q": Q, "K": K, "V": V, "S": S, "P": P, "O": attn["sublayer"]["O"]}  # (B, H, T, d_k or T)
    return tensors
