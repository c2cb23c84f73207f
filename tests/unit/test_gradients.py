"""Every gradient written out by hand equals the slope of the loss, measured by central differences in float64."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from microtransformer import MicroTransformer, ModelConfig, layers, masks

TOLERANCE = 1e-7
"""Largest error allowed, as a share of the largest entry of the gradient; 1e-8 is reached everywhere."""

STEP = 5e-5
"""With the five-point rule the truncation is of the order STEP^4 and the rounding of the order 1e-16 / STEP. Unscaled
scores without a norm are so steep that 1e-3 is too long a step (errors of 1e-4); here both stay below 1e-8."""

Arrays = dict[str, np.ndarray]
LossAndGradients = Callable[[Arrays], tuple[float, Arrays]]


def slope(loss: Callable[[], float], entry: np.ndarray, index: Any) -> float:
    """d loss / d entry[index] by the five-point rule (Abramowitz and Stegun 1964, 25.3.6); entry is restored."""
    old = entry[index]
    total = 0.0
    for shift, weight in ((-2, 1), (-1, -8), (1, 8), (2, -1)):
        entry[index] = old + shift * STEP
        total += weight * loss()
    entry[index] = old
    return total / (12 * STEP)


def assert_gradients(function: LossAndGradients, arrays: Arrays, loss: Callable[[], float] | None = None) -> None:
    """The gradient of every entry of every array, each array measured against its own largest gradient.

    `loss` is the function's loss alone, where that is quicker to have.
    """
    value, gradients = function(arrays)
    loss = loss or (lambda: function(arrays)[0])
    assert loss() == value
    assert gradients.keys() == arrays.keys()
    for name, array in arrays.items():
        gradient = gradients[name]
        assert gradient.shape == array.shape, name
        slopes = np.array([slope(loss, array, i) for i in np.ndindex(array.shape)])
        largest = np.abs(slopes).max()
        assert largest > 1e-6, f"{name}: nothing depends on it, so nothing is tested"
        error = np.abs(gradient.ravel() - slopes).max() / largest
        assert error <= TOLERANCE, f"{name}: error {error:.1e} of the largest gradient {largest:.1e}"


def covering_set() -> list[ModelConfig]:
    """Each pair of values of (norm, scale_scores, positions, n_layers) occurs in at least one configuration."""
    cases = []
    for case, norm in enumerate(("pre", "post", "none")):
        for scale_scores, positions in product((True, False), repeat=2):
            # Two layers where the two switches agree, and for one norm the other way round.
            n_layers = 2 if (scale_scores == positions) != (case == 1) else 1
            cases.append(
                ModelConfig(
                    vocab_size=3,
                    seq_len=3,
                    d_model=4,
                    n_heads=2,
                    d_ff=3,
                    norm=norm,  # type: ignore[arg-type]
                    scale_scores=scale_scores,
                    positions=positions,
                    n_layers=n_layers,
                )
            )
    return cases


def label(cfg: ModelConfig) -> str:
    switches = ("scaled" if cfg.scale_scores else "unscaled", "positions" if cfg.positions else "no positions")
    return f"{cfg.norm}, {', '.join(switches)}, {cfg.n_layers} layers"


@pytest.mark.parametrize("mask", masks.MASKS)
@pytest.mark.parametrize("cfg", covering_set(), ids=label)
def test_every_parameter_of_a_model(cfg: ModelConfig, mask: str) -> None:
    rng = np.random.default_rng(3)
    model = MicroTransformer(cfg, seed=1, dtype=np.float64)
    # Away from the start, where gains are 1 and logits almost 0: a factor left out would not show there.
    model.theta += 0.4 * rng.standard_normal(model.theta.shape)
    tokens = rng.integers(0, cfg.vocab_size, (3, cfg.seq_len))
    tokens[0] = np.arange(cfg.seq_len) % cfg.vocab_size  # every token occurs, so every embedding has a gradient
    targets = rng.integers(0, cfg.vocab_size, tokens.shape)
    M = masks.additive(mask, cfg.seq_len)

    def loss() -> float:
        logits = model.forward(tokens, M).reshape(-1, cfg.vocab_size)
        return float(layers.cross_entropy(logits, targets.reshape(-1))[0].mean())

    assert_gradients(lambda _: model.loss_and_grads(tokens, targets, M), model.params, loss)


# One operation at a time. A linear layer in front of it makes the gradient of the operation's input matter to W_in
# and x; one behind it makes the gradient of its output an uneven one. The loss is a fixed random mix of the outputs.

SHAPES = [(1, 1, 1), (1, 4, 3), (5, 1, 2), (5, 4, 3)]
"""(N, a, b): rows, inputs and outputs of the layer in front; 1 where a broadcast could go wrong unseen."""


def draw(rng: np.random.Generator, **shapes: tuple[int, ...]) -> Arrays:
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


def sandwich(arrays: Arrays, operation: Callable[[np.ndarray], tuple[np.ndarray, Callable]], mix: np.ndarray) -> Any:
    """loss = sum(mix * linear(operation(linear(x, W_in)), W_out)), and its gradients.

    `operation` returns its output and the function that takes the output's gradient to the input's.
    """
    h, front = layers.linear(arrays["x"], arrays["W_in"])
    y, operation_backward = operation(h)
    z, behind = layers.linear(y, arrays["W_out"])
    gradients = {name: np.full_like(arrays[name], np.nan) for name in ("x", "W_in", "W_out")}
    dy = layers.linear_backward(mix, behind, gradients["W_out"])
    gradients["x"] = layers.linear_backward(operation_backward(dy), front, gradients["W_in"])
    return float((mix * z).sum()), gradients


@pytest.mark.parametrize(("N", "a", "b"), SHAPES)
def test_linear(N: int, a: int, b: int) -> None:
    rng = np.random.default_rng(4)
    arrays = draw(rng, x=(N, a), W_in=(a, b), W=(b, 3), W_out=(3, 2))
    mix = rng.standard_normal((N, 2))

    def function(arrays: Arrays) -> tuple[float, Arrays]:
        dW = np.full_like(arrays["W"], np.nan)

        def operation(h: np.ndarray) -> Any:
            y, cache = layers.linear(h, arrays["W"])
            return y, lambda dy: layers.linear_backward(dy, cache, dW)

        loss, gradients = sandwich(arrays, operation, mix)
        return loss, gradients | {"W": dW}

    assert_gradients(function, arrays)


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize(("N", "a", "b"), SHAPES)
def test_linear_with_a_stack_of_matrices(N: int, a: int, b: int, k: int) -> None:
    """One input feeds k matrices, so its gradient is the sum of k."""
    rng = np.random.default_rng(5)
    arrays = draw(rng, x=(N, a), W_in=(a, b), W=(k, b, 3), W_out=(3, 2))
    share = rng.standard_normal((k, 1, 1))  # the operation's output: an uneven sum over the stack
    mix = rng.standard_normal((N, 2))

    def function(arrays: Arrays) -> tuple[float, Arrays]:
        dW = np.full_like(arrays["W"], np.nan)

        def operation(h: np.ndarray) -> Any:
            stack, cache = layers.linear(h, arrays["W"])  # (k, N, 3)
            assert stack.shape == (k, N, 3)
            return (share * stack).sum(axis=0), lambda dy: layers.linear_backward(share * dy, cache, dW)

        loss, gradients = sandwich(arrays, operation, mix)
        return loss, gradients | {"W": dW}

    assert_gradients(function, arrays)


@pytest.mark.parametrize(("N", "a", "d"), SHAPES)
def test_rms_norm(N: int, a: int, d: int) -> None:
    rng = np.random.default_rng(6)
    arrays = draw(rng, x=(N, a), W_in=(a, d), gain=(d,), W_out=(d, 2))
    mix = rng.standard_normal((N, 2))

    def function(arrays: Arrays) -> tuple[float, Arrays]:
        dgain = np.full_like(arrays["gain"], np.nan)

        def operation(h: np.ndarray) -> Any:
            # A large eps, since one number divided by its own size has no slope left to measure.
            y, cache = layers.rms_norm(h, arrays["gain"], eps=0.5)
            return y, lambda dy: layers.rms_norm_backward(dy, cache, dgain)

        loss, gradients = sandwich(arrays, operation, mix)
        return loss, gradients | {"gain": dgain}

    assert_gradients(function, arrays)


@pytest.mark.parametrize(("N", "a", "T"), [(1, 1, 2), (1, 4, 3), (5, 1, 4), (5, 4, 8)])
def test_softmax(N: int, a: int, T: int) -> None:
    rng = np.random.default_rng(7)
    arrays = draw(rng, x=(N, a), W_in=(a, T), W_out=(T, 2))
    mix = rng.standard_normal((N, 2))

    def operation(S: np.ndarray) -> Any:
        P = layers.softmax(S)
        return P, lambda dP: layers.softmax_backward(dP, P)

    assert_gradients(lambda arrays: sandwich(arrays, operation, mix), arrays)


@pytest.mark.parametrize(("N", "a", "f"), SHAPES)
def test_swiglu(N: int, a: int, f: int) -> None:
    rng = np.random.default_rng(8)
    arrays = draw(rng, x=(N, a), W_in=(a, 2 * f), W_out=(f, 2))
    mix = rng.standard_normal((N, 2))

    def operation(h: np.ndarray) -> Any:
        y, cache = layers.swiglu(h[:, :f], h[:, f:])

        def backward(dy: np.ndarray) -> np.ndarray:
            dh = np.full_like(h, np.nan)
            layers.swiglu_backward(dy, cache, dh[:, :f], dh[:, f:])
            return dh

        return y, backward

    assert_gradients(lambda arrays: sandwich(arrays, operation, mix), arrays)


@pytest.mark.parametrize("mask", masks.MASKS)
@pytest.mark.parametrize("scale", [1.0, 3**-0.5])
@pytest.mark.parametrize(("B", "H", "T"), [(1, 1, 2), (1, 2, 3), (2, 1, 4), (2, 2, 3)])
def test_attention(B: int, H: int, T: int, scale: float, mask: str) -> None:
    rng = np.random.default_rng(9)
    d_k = 3
    arrays = draw(rng, x=(B * T, 4), W_in=(4, 3 * H * d_k), W_out=(H * d_k, 2))
    mix = rng.standard_normal((B * T, 2))
    M = masks.additive(mask, T)

    def operation(h: np.ndarray) -> Any:
        Q, K, V = h.reshape(B, T, 3, H, d_k).transpose(2, 0, 3, 1, 4)  # 3 x (B, H, T, d_k)
        O, cache = layers.attention(Q, K, V, M, scale)

        def backward(dy: np.ndarray) -> np.ndarray:
            dQKV = np.full((3, B, H, T, d_k), np.nan)
            layers.attention_backward(dy.reshape(B, T, H, d_k).swapaxes(1, 2), cache, *dQKV)
            return dQKV.transpose(1, 3, 0, 2, 4).reshape(h.shape)

        return O.swapaxes(1, 2).reshape(B * T, H * d_k), backward

    assert_gradients(lambda arrays: sandwich(arrays, operation, mix), arrays)


@pytest.mark.parametrize(("N", "a", "V"), [(1, 1, 2), (1, 4, 3), (5, 1, 2), (5, 4, 26)])
def test_cross_entropy(N: int, a: int, V: int) -> None:
    """Nothing stands behind it but the mean over the rows, which is part of its backward."""
    rng = np.random.default_rng(10)
    arrays = draw(rng, x=(N, a), W_in=(a, V))
    targets = rng.integers(0, V, N)

    def function(arrays: Arrays) -> tuple[float, Arrays]:
        logits, front = layers.linear(arrays["x"], arrays["W_in"])
        nll, cache = layers.cross_entropy(logits, targets)
        assert nll.shape == (N,)
        dW = np.full_like(arrays["W_in"], np.nan)
        dx = layers.linear_backward(layers.cross_entropy_backward(cache), front, dW)
        return float(nll.mean()), {"x": dx, "W_in": dW}

    assert_gradients(function, arrays)
