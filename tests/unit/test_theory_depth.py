"""The gradient on its way back through many layers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from microtransformer import MicroTransformer, ModelConfig, layers, masks, parameters, theory
from microtransformer.block import block

CFG = ModelConfig(vocab_size=3, seq_len=3, d_model=4, n_heads=2, n_layers=3, d_ff=5)
STEP = 1e-6


@pytest.mark.parametrize("norm", ["pre", "post", "none"])
def test_the_gradient_of_the_stream_is_the_slope_of_the_loss(norm: str) -> None:
    """The stream in front of each layer is moved a little, and the layers behind it run again."""
    cfg = replace(CFG, norm=norm)
    model = MicroTransformer(cfg, seed=1, dtype=np.float64)
    rng = np.random.default_rng(2)
    model.theta += 0.4 * rng.standard_normal(model.theta.shape)
    tokens, targets = rng.integers(0, cfg.vocab_size, (2, 2, cfg.seq_len))
    M = masks.additive("causal", cfg.seq_len)
    stream, grads = model.stream_gradients(tokens, targets, M)
    assert stream.shape == (cfg.n_layers + 1, 2, cfg.seq_len, cfg.d_model)
    trace = model.trace(tokens, M)
    w = model.params | parameters.stacks(cfg, model.theta)

    def loss(x: np.ndarray, first: int) -> float:
        x = x.reshape(-1, cfg.d_model)
        for layer in range(first, cfg.n_layers):
            x, _ = block(x, w, f"layers.{layer}.", M, cfg)
        if norm == "pre":
            x, _ = layers.rms_norm(x, w["norm_out"], cfg.rms_eps)
        nll, _ = layers.cross_entropy(x @ w["W_U"], targets.reshape(-1))
        return float(nll.mean())

    for layer in range(cfg.n_layers + 1):
        x = trace[f"layers.{layer}.x_in"] if layer < cfg.n_layers else trace[f"layers.{layer - 1}.x_out"]
        assert loss(x, layer) == pytest.approx(model.loss_and_grads(tokens, targets, M)[0], rel=1e-12)
        for _ in range(5):
            direction = rng.standard_normal(x.shape)
            slope = (loss(x + STEP * direction, layer) - loss(x - STEP * direction, layer)) / (2 * STEP)
            assert (stream[layer] * direction).sum() == pytest.approx(slope, rel=1e-6, abs=1e-8)

    # The parameters' gradients are those that training uses.
    _, expected = model.loss_and_grads(tokens, targets, M)
    assert grads.keys() == expected.keys()
    for name, gradient in expected.items():
        np.testing.assert_array_equal(grads[name], gradient)


def test_a_shallow_model_by_hand() -> None:
    """One seed, the package's own start but for the embeddings."""
    found = theory.gradient_by_depth(3, "pre", d_model=8, n_heads=2, seeds=1, seed=4)
    cfg = ModelConfig(d_model=8, n_heads=2, n_layers=3, d_ff=16)
    model = MicroTransformer(cfg, seed=4, dtype=np.float64)
    for name in ("embed.tokens", "embed.positions"):
        model.params[name] *= 0.5**0.5 / parameters.EMBED_STD
    tokens = np.random.default_rng([4, 2]).integers(0, 8, (16, 4))
    stream, grads = model.stream_gradients(tokens, tokens[:, ::-1], masks.additive("causal", 4))
    assert found["stream"] == pytest.approx([np.linalg.norm(dx) for dx in stream], rel=1e-12)
    for layer in range(3):
        matrices = [grads[f"layers.{layer}.W_{name}"] for name in ("Q", "K", "V", "O", "gate", "up", "down")]
        assert found["weights"][layer] == pytest.approx(np.sqrt(sum((dW**2).sum() for dW in matrices)), rel=1e-12)
    assert found["stream"][0] is not None and found["stream"][2] is not None
    assert found["stream_ratio"] == pytest.approx(found["stream"][0] / found["stream"][2], rel=1e-12)


def test_seeds_are_averaged() -> None:
    alone = [theory.gradient_by_depth(2, "post", seeds=1, seed=seed)["stream"] for seed in (7, 8)]
    together = theory.gradient_by_depth(2, "post", seeds=2, seed=7)["stream"]
    assert together == pytest.approx(np.mean(np.array(alone, float), axis=0), rel=1e-12)


def test_what_the_article_says_of_sixty_four_layers() -> None:
    ratio = {
        (norm, scaled): theory.gradient_by_depth(64, norm, scaled, seeds=1)["stream_ratio"]
        for norm in ("pre", "post", "none")
        for scaled in (True, False)
    }
    # With residual weights that shrink with depth, the gradient arrives in size, wherever the norm stands.
    for norm in ("pre", "post", "none"):
        value = ratio[norm, True]
        assert value is not None and 1 / 3 < value < 3
    # Without: steady growth, at most with the root of the depth or so, behind a norm in front of each sublayer;
    # a constant factor per layer, so orders of magnitude in all, behind a norm after each addition.
    pre, post = ratio["pre", False], ratio["post", False]
    assert pre is not None and post is not None
    assert pre < 64 < 300 < post
    assert ratio["none", False] is None  # the stream overflowed


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("n_layers", [8, 9, 10, 12, 16])
def test_an_overflow_is_none_and_warns_nobody(n_layers: int) -> None:
    found = theory.gradient_by_depth(n_layers, "none", scale_residual=False, d_model=8)
    assert all(value is None or 0 <= value < float("inf") for value in (*found["stream"], *found["weights"]))
    assert found["stream"][0] is None or n_layers < 16


def test_growth_behind_post_norm_is_a_factor_per_layer() -> None:
    """SwiGLU's derivative is larger than its output; what the norm divides by is the size of the output.

    For normal gate and up, per unit of the stream: the output adds E[silu^2] to its square, the derivative
    E[silu'^2] + E[silu^2] to that of the gradient. Attention, which is left out here, changes little.
    """
    z = np.linspace(-12, 12, 100_001)
    density = np.exp(-(z**2) / 2)
    sigmoid = 1 / (1 + np.exp(-z))
    silu, slope = z * sigmoid, sigmoid + z * sigmoid * (1 - sigmoid)
    silu_squared, slope_squared = (np.average(values**2, weights=density) for values in (silu, slope))
    expected = np.sqrt((1 + slope_squared + silu_squared) / (1 + silu_squared))
    assert expected > 1.1

    found = theory.gradient_by_depth(64, "post", scale_residual=False)
    middle = np.array(found["stream"][8:57], float)
    factor = (middle[0] / middle[-1]) ** (1 / 48)
    assert factor == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("scaled", [True, False])
def test_the_picture_has_the_course_of_every_norm(scaled: bool) -> None:
    picture = theory.gradient_picture(6, scaled, d_model=8, seed=3)
    assert (picture["n_layers"], picture["d_model"], picture["scale_residual"]) == (6, 8, scaled)
    courses = {"pre": picture["pre"], "post": picture["post"], "none": picture["none"]}
    for norm, course in courses.items():
        alone = theory.gradient_by_depth(6, norm, scaled, d_model=8, seeds=1, seed=3)["stream"]
        assert course["stream"] == alone
        stream = np.array(alone, float)
        assert course["growth"] == pytest.approx(stream[0] / stream[6], rel=1e-12)
        assert course["factor"] is not None and course["overflow"] is None
        assert course["factor"] ** 6 == pytest.approx(course["growth"], rel=1e-9)
        assert course["first_half"] == pytest.approx((stream[0] / stream[3]) ** (1 / 3), rel=1e-12)
        assert course["last_half"] == pytest.approx((stream[3] / stream[6]) ** (1 / 3), rel=1e-12)


def test_one_layer_has_no_first_half() -> None:
    course = theory.gradient_picture(1, d_model=8)["post"]
    assert course["first_half"] is None
    assert course["last_half"] == course["factor"] == course["growth"]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_the_picture_names_the_layer_that_overflows() -> None:
    course = theory.gradient_picture(64)["none"]
    assert course["growth"] is course["factor"] is None and course["stream"] == [None] * 65
    overflow = course["overflow"]
    assert overflow is not None and 2 < overflow < 16
    # The start does not depend on the depth, so that a model without that layer still has a finite stream.
    assert theory.gradient_picture(overflow - 1)["none"]["overflow"] is None


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^n_layers must be from 1 to 64, but it is 65\.$"):
        theory.gradient_picture(65)
    with pytest.raises(ValueError, match=r"^seed must be from 0 to 4,294,967,295, but it is -1\.$"):
        theory.gradient_picture(2, seed=-1)
    with pytest.raises(ValueError, match=r"^n_layers must be from 1 to 64, but it is 65\.$"):
        theory.gradient_by_depth(65, "pre")
    with pytest.raises(ValueError, match=r'^norm must be "pre", "post" or "none", but it is \'layer\'\.$'):
        theory.gradient_by_depth(2, "layer")
    with pytest.raises(ValueError, match=r"^seeds must be from 1 to 100, but it is 0\.$"):
        theory.gradient_by_depth(2, "pre", seeds=0)
    with pytest.raises(ValueError, match=r"^seed must be from 0 to 4,294,967,295, but it is -1\.$"):
        theory.gradient_by_depth(2, "pre", seed=-1)
