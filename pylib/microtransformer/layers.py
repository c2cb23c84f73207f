"""The operations of a Transformer: each forward returns (output, cache), its backward stands beside it.

Shapes: N = B*T rows (position-wise operations do not care which token of which sequence a row is),
d model width, f hidden width, V vocabulary, H heads of width d_k. In a backward, dY is the gradient of the
loss with respect to Y, and has the shape of Y.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]
Targets = NDArray[np.integer[Any]]


def linear(x: Array, W: Array) -> tuple[Array, tuple[Array, Array]]:
    """x W. x (N, a); W (a, b) -> (N, b), or a stack W (k, a, b) -> (k, N, b)."""
    return x @ W, (x, W)


def linear_backward(dY: Array, cache: tuple[Array, Array], dW: Array) -> Array:
    """Writes dW (shape of W) in place and returns dx (N, a)."""
    x, W = cache
    np.matmul(x.T, dY, out=dW)  # sum over the N rows: (a, N) @ (N, b)
    dx: Array = dY @ W.swapaxes(-1, -2)  # (N, a), or (k, N, a) for a stack
    return reduce(np.add, dx) if dx.ndim == 3 else dx  # x fed every matrix of the stack: their gradients add


def rms_norm(x: Array, gain: Array, eps: float) -> tuple[Array, tuple[Array, Array, Array]]:
    """x / sqrt(mean(x^2) + eps) * gain, row by row (Zhang and Sennrich 2019, eq. 4). x (N, d), gain (d,)."""
    rms = np.sqrt(np.vecdot(x, x)[:, None] / x.shape[1] + eps)  # (N, 1)
    x_hat = x / rms  # (N, d)
    return x_hat * gain, (x_hat, rms, gain)


def rms_norm_backward(dY: Array, cache: tuple[Array, Array, Array], dgain: Array) -> Array:
    """Writes dgain (d,) in place and returns dx (N, d).

    Each row of x_hat has a fixed length, so the part of the gradient along x_hat cannot act: it is taken off.
    """
    x_hat, rms, gain = cache
    np.vecdot(dY.T, x_hat.T, out=dgain)  # (d,): every row adds its part
    dx = dY * gain  # (N, d), with respect to x_hat so far
    dx -= x_hat * (np.vecdot(dx, x_hat)[:, None] / x_hat.shape[1])
    dx /= rms
    return dx


def row_max(S: Array) -> Array:
    """Largest entry of each row. S (..., T) -> (..., 1).

    NumPy goes through rows as short as these one by one; down the columns of their transpose it takes many at once.
    """
    columns = np.ascontiguousarray(S.reshape(-1, S.shape[-1]).T)  # (T, rows)
    largest: Array = columns.max(axis=0).reshape(*S.shape[:-1], 1)
    return largest


def row_sum(S: Array) -> Array:
    """Sum of each row, as its product with a vector of ones, for the same reason. S (..., T) -> (..., 1)."""
    total: Array = np.vecdot(S, np.ones(S.shape[-1], S.dtype))[..., None]
    return total


def softmax(S: Array) -> Array:
    """exp(S) / sum exp(S) along the last axis, shifted by the row's maximum so that no score overflows.

    -inf becomes exactly 0. A row must hold at least one finite score (`masks.check` sees to it).
    The output is its own cache.
    """
    P: Array = S - row_max(S)
    np.exp(P, out=P)
    P /= row_sum(P)
    return P


def softmax_backward(dP: Array, P: Array) -> Array:
    """dS = P * (dP - sum_j dP_j P_j): the Jacobian diag(P) - P P^T applied to each row; rows of dS sum to 0."""
    dS: Array = dP - np.vecdot(dP, P)[..., None]
    dS *= P
    return dS


AttentionCache = tuple[Array, Array, Array, Array, Array, float]


def attention(Q: Array, K: Array, V: Array, M: Array, scale: float) -> tuple[Array, AttentionCache]:
    """softmax(Q K^T * scale + M) V (Vaswani et al. 2017, eq. 1, with scale = 1/sqrt(d_k)).

    Q, K, V (B, H, T, d_k) and M (T, T) -> O (B, H, T, d_k).
    """
    S = Q @ K.swapaxes(-1, -2)  # (B, H, T, T)
    S *= scale
    S += M  # -inf stays -inf: a query never sees that key
    P = softmax(S)  # (B, H, T, T), rows sum to 1
    return P @ V, (Q, K, V, S, P, scale)  # (B, H, T, d_k)


def attention_backward(dO: Array, cache: AttentionCache, dQ: Array, dK: Array, dV: Array) -> None:
    """Writes dQ, dK, dV, each (B, H, T, d_k), in place."""
    Q, K, V, _, P, scale = cache
    np.matmul(P.swapaxes(-1, -2), dO, out=dV)
    dP = dO @ V.swapaxes(-1, -2)  # (B, H, T, T)
    dS = softmax_backward(dP, P)  # exactly 0 where P is 0: nothing flows through a masked score
    dS *= scale
    np.matmul(dS, K, out=dQ)
    np.matmul(dS.swapaxes(-1, -2), Q, out=dK)


SwigluCache = tuple[Array, Array, Array, Array]  # gate, up, 1 + exp(-gate), silu(gate)


def swiglu(gate: Array, up: Array) -> tuple[Array, SwigluCache]:
    """silu(gate) * up, with silu(z) = z * sigmoid(z) = z / (1 + exp(-z)) (Shazeer 2020, eq. 6). All (N, f)."""
    with np.errstate(over="ignore"):  # exp(88.8) is inf in float32, and z / inf is 0, as it should be
        below = np.exp(-gate)
    below += 1
    silu = gate / below
    return silu * up, (gate, up, below, silu)


def swiglu_backward(dH: Array, cache: SwigluCache, dgate: Array, dup: Array) -> None:
    """Writes dgate and dup, both (N, f), in place. silu'(z) = s + z s (1 - s) = (1 + z - silu(z)) / (1 + exp(-z))."""
    gate, up, below, silu = cache
    np.multiply(dH, silu, out=dup)
    np.subtract(gate, silu, out=dgate)
    dgate += 1
    dgate /= below
    dgate *= up
    dgate *= dH


def cross_entropy(logits: Array, targets: Targets) -> tuple[Array, tuple[Array, Targets]]:
    """-log softmax(logits)[target] in nats for each row, by log-sum-exp. logits (N, V), targets (N,) -> (N,)."""
    shifted = logits - row_max(logits)  # (N, V), largest entry 0: exp cannot overflow
    P = np.exp(shifted)
    total = row_sum(P)  # (N, 1), at least 1: its log is finite
    rows = np.arange(len(targets))
    nll = np.log(total[:, 0]) - shifted[rows, targets]
    P /= total
    return nll, (P, targets)


def cross_entropy_backward(cache: tuple[Array, Targets]) -> Array:
    """Gradient of the *mean* over the N rows with respect to the logits: (P - onehot) / N, (N, V)."""
    P, targets = cache
    dlogits = P.copy()
    dlogits[np.arange(len(targets)), targets] -= 1
    dlogits /= len(targets)
    return dlogits
