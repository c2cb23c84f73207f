"""What holds for every model, whatever its shape, its switches and its weights."""

from __future__ import annotations

from math import log
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microtransformer import MicroTransformer, ModelConfig, TrainConfig, Trainer, layers, masks, parameters
from microtransformer.block import block, block_backward

# An overflow that nobody asked about is a failure as well.
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

MASKS = st.sampled_from(sorted(masks.MASKS))
SEEDS = st.integers(0, 2**32 - 1)
# Small vocabularies mostly, where tokens repeat within a sequence; large ones now and then.
VOCABULARIES = st.one_of(st.integers(2, 6), st.integers(2, 26))


@st.composite
def configs(draw: st.DrawFn) -> ModelConfig:
    n_heads = draw(st.integers(1, 4))
    return ModelConfig(
        vocab_size=draw(VOCABULARIES),
        seq_len=draw(st.integers(2, 8)),
        d_model=n_heads * draw(st.integers(1, 6)),
        n_heads=n_heads,
        n_layers=draw(st.integers(1, 4)),
        d_ff=draw(st.integers(1, 12)),
        norm=draw(st.sampled_from(["pre", "post", "none"])),
        scale_scores=draw(st.booleans()),
        positions=draw(st.booleans()),
    )


@st.composite
def models(draw: st.DrawFn) -> MicroTransformer:
    """Weights of many sizes, from an untrained model's to ten times those."""
    cfg = draw(configs())
    model = MicroTransformer(cfg, draw(SEEDS), draw(st.sampled_from([np.float32, np.float64])))
    # Without norms the stream grows at least quadratically from layer to layer, beyond float32 for weights of ten.
    model.theta *= draw(st.floats(0.5, 1.5 if cfg.norm == "none" else 10.0))
    return model


def some_tokens(cfg: ModelConfig, seed: int, batch: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, cfg.vocab_size, (batch, cfg.seq_len))


def rounding(dtype: np.dtype) -> float:
    """Relative error that a sum of a few hundred terms in another order may leave."""
    return 1e4 * float(np.finfo(dtype).eps)


def assert_close(actual: np.ndarray, expected: np.ndarray, name: str = "") -> None:
    tolerance = rounding(actual.dtype)
    np.testing.assert_allclose(
        actual, expected, rtol=tolerance, atol=tolerance * max(1, np.abs(expected).max()), err_msg=name
    )


# Attention


@given(models(), MASKS, SEEDS)
def test_rows_of_P_are_distributions_over_the_allowed_keys(model: MicroTransformer, mask: str, seed: int) -> None:
    cfg = model.cfg
    trace = model.trace(some_tokens(cfg, seed), masks.additive(mask, cfg.seq_len))
    forbidden = ~masks.allowed(mask, cfg.seq_len)
    for layer in range(cfg.n_layers):
        P = trace[f"layers.{layer}.P"]
        S = trace[f"layers.{layer}.S"]
        assert (P >= 0).all()
        np.testing.assert_allclose(P.sum(axis=-1), 1, rtol=0, atol=4 * float(np.finfo(P.dtype).eps))
        assert (P[..., forbidden] == 0).all()  # exactly: not a small number
        assert (S[..., forbidden] == -np.inf).all()
        assert np.isfinite(S[..., ~forbidden]).all()


@given(st.integers(1, 4), st.integers(2, 8), MASKS, st.floats(0.1, 30), SEEDS)
def test_rows_of_dS_sum_to_0(rows: int, T: int, mask: str, size: float, seed: int) -> None:
    """Adding one number to all scores of a row changes nothing, so no gradient points that way."""
    rng = np.random.default_rng(seed)
    P = layers.softmax(size * rng.standard_normal((rows, T, T)) + masks.additive(mask, T))
    dP = rng.standard_normal(P.shape)
    dS = layers.softmax_backward(dP, P)
    np.testing.assert_allclose(dS.sum(axis=-1), 0, rtol=0, atol=1e-14)
    assert (dS[P == 0] == 0).all()  # nothing flows through a masked score
    assert (dS.any() if mask == "bidirectional" else dS[:, 1:].any()) or size > 10  # saturated rows have no slope


@given(models(), SEEDS, st.data())
def test_a_causal_model_does_not_see_later_tokens(model: MicroTransformer, seed: int, data: st.DataObject) -> None:
    """Bit for bit: the logits before position j are the same numbers whatever stands at j."""
    cfg = model.cfg
    M = masks.additive("causal", cfg.seq_len)
    j = data.draw(st.integers(1, cfg.seq_len - 1), label="j")
    tokens = some_tokens(cfg, seed)
    changed = tokens.copy()
    changed[:, j] = (changed[:, j] + data.draw(st.integers(1, cfg.vocab_size - 1), label="shift")) % cfg.vocab_size
    before, after = model.forward(tokens, M), model.forward(changed, M)
    np.testing.assert_array_equal(before[:, :j], after[:, :j])


@given(models(), MASKS, SEEDS, st.data())
def test_no_gradient_flows_from_a_position_to_a_later_input(
    model: MicroTransformer, mask: str, seed: int, data: st.DataObject
) -> None:
    """d x_out[i] / d x_in[j] is exactly 0 for j > i under the causal mask, through all blocks together."""
    cfg = model.cfg
    w = model.params | parameters.stacks(cfg, model.theta)
    grad = {name: np.empty_like(value) for name, value in w.items()}
    M = masks.additive(mask, cfg.seq_len).astype(model.theta.dtype)
    rng = np.random.default_rng(seed)
    i = data.draw(st.integers(0, cfg.seq_len - 2), label="i")
    x = rng.standard_normal((2 * cfg.seq_len, cfg.d_model)).astype(model.theta.dtype)  # 2 sequences
    caches = []
    for layer in range(cfg.n_layers):
        x, cache = block(x, w, f"layers.{layer}.", M, cfg)
        caches.append(cache)
    dx = np.zeros_like(x)
    dx[i] = rng.standard_normal(cfg.d_model)  # a gradient at position i of the first sequence only
    for layer in reversed(range(cfg.n_layers)):
        dx = block_backward(dx, caches[layer], grad, f"layers.{layer}.", cfg)
    first, second = dx.reshape(2, cfg.seq_len, cfg.d_model)
    assert not second.any()  # sequences of a batch know nothing of each other
    if mask == "causal":
        assert not first[i + 1 :].any()
    # With one number per token, a norm leaves only its sign, which has no slope.
    assert first[i].any() or cfg.d_model == 1


@pytest.mark.parametrize("mask", masks.MASKS)
@pytest.mark.parametrize("norm", ["pre", "post", "none"])
def test_a_token_is_seen_wherever_the_mask_allows_it(norm: Literal["pre", "post", "none"], mask: str) -> None:
    """Without this, a model that ignores its input would pass the two laws above."""
    model = MicroTransformer(ModelConfig(norm=norm), seed=0)
    tokens = some_tokens(model.cfg, 0)
    for j in range(4):
        changed = tokens.copy()
        changed[:, j] = (changed[:, j] + 1) % 8
        M = masks.additive(mask, 4)
        seen = (model.forward(tokens, M) != model.forward(changed, M)).any(axis=(0, 2))
        np.testing.assert_array_equal(seen, masks.allowed(mask, 4)[:, j])


# Batches and traces


@given(models(), MASKS, SEEDS, st.permutations(range(5)))
def test_permuting_the_batch_permutes_the_results(
    model: MicroTransformer, mask: str, seed: int, order: list[int]
) -> None:
    cfg = model.cfg
    M = masks.additive(mask, cfg.seq_len)
    tokens, targets = some_tokens(cfg, seed, 5), some_tokens(cfg, seed + 1, 5)
    logits = model.forward(tokens, M)
    assert_close(model.forward(tokens[order], M), logits[order])
    loss, gradient = model.loss_and_gradient(tokens, targets, M)
    permuted_loss, permuted_gradient = model.loss_and_gradient(tokens[order], targets[order], M)
    assert_close(np.array(permuted_loss, logits.dtype), np.array(loss, logits.dtype))
    assert_close(permuted_gradient, gradient)


@given(models(), MASKS, SEEDS)
def test_trace_equals_forward_and_obeys_the_equations(model: MicroTransformer, mask: str, seed: int) -> None:
    cfg, w = model.cfg, model.params
    B, T, H, d_k = 3, cfg.seq_len, cfg.n_heads, cfg.d_k
    M = masks.additive(mask, T)
    tokens = some_tokens(cfg, seed, B)
    trace = model.trace(tokens, M)
    np.testing.assert_array_equal(trace["logits"], model.forward(tokens, M))

    def norm(x: np.ndarray, gain: np.ndarray) -> np.ndarray:
        return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + cfg.rms_eps) * gain

    x = w["embed.tokens"][tokens]
    if cfg.positions:
        x = x + w["embed.positions"]
    assert_close(trace["embed"], x, "embed")
    previous = trace["embed"]
    for layer in range(cfg.n_layers):
        at = f"layers.{layer}."
        t = {name.removeprefix(at): tensor for name, tensor in trace.items() if name.startswith(at)}
        np.testing.assert_array_equal(t["x_in"], previous)
        assert_close(t["X"], norm(t["x_in"], w[at + "norm_attn"]) if cfg.norm == "pre" else t["x_in"], "X")
        for head in range(H):
            columns = slice(head * d_k, (head + 1) * d_k)
            for name in ("Q", "K", "V"):
                assert t[name].shape == (B, H, T, d_k)
                assert_close(t[name][:, head], t["X"] @ w[f"{at}W_{name}"][:, columns], f"{name} of head {head}")
            np.testing.assert_array_equal(t["O_concat"][..., columns], t["O"][:, head])
        scores = t["Q"] @ t["K"].swapaxes(-1, -2)
        if cfg.scale_scores:
            scores = scores / np.sqrt(d_k).astype(scores.dtype)
        allowed = masks.allowed(mask, T)
        assert_close(t["S"][..., allowed], scores[..., allowed], "S")
        assert_close(t["P"], layers.softmax(t["S"]), "P")
        assert_close(t["O"], t["P"] @ t["V"], "O")
        assert_close(t["Y"], t["O_concat"] @ w[at + "W_O"], "Y")
        hidden = t["gate"] / (1 + np.exp(-t["gate"].astype(np.float64))) * t["up"]
        assert_close(t["gate"], t["X_ffn"] @ w[at + "W_gate"], "gate")
        assert_close(t["up"], t["X_ffn"] @ w[at + "W_up"], "up")
        assert_close(t["hidden"], hidden, "hidden")
        assert_close(t["Y_ffn"], t["hidden"] @ w[at + "W_down"], "Y_ffn")
        x_mid, x_out = t["x_in"] + t["Y"], t["x_mid"] + t["Y_ffn"]
        if cfg.norm == "post":
            x_mid, x_out = norm(x_mid, w[at + "norm_attn"]), norm(x_out, w[at + "norm_ffn"])
        assert_close(t["x_mid"], x_mid, "x_mid")
        assert_close(t["X_ffn"], norm(x_mid, w[at + "norm_ffn"]) if cfg.norm == "pre" else x_mid, "X_ffn")
        assert_close(t["x_out"], x_out, "x_out")
        previous = t["x_out"]
    assert_close(trace["X_out"], norm(previous, w["norm_out"]) if cfg.norm == "pre" else previous, "X_out")
    assert_close(trace["logits"], trace["X_out"] @ w["W_U"], "logits")


@given(models(), MASKS, SEEDS)
def test_loss_is_the_mean_of_minus_log_p(model: MicroTransformer, mask: str, seed: int) -> None:
    cfg = model.cfg
    M = masks.additive(mask, cfg.seq_len)
    tokens, targets = some_tokens(cfg, seed), some_tokens(cfg, seed + 1)
    p = layers.softmax(model.forward(tokens, M).astype(np.float64))
    expected = -np.log(np.take_along_axis(p, targets[..., None], axis=-1)).mean()
    assert model.loss_and_grads(tokens, targets, M)[0] == pytest.approx(expected, rel=rounding(model.theta.dtype))


# Parameters


@given(configs(), SEEDS)
def test_params_are_views_that_tile_theta(cfg: ModelConfig, seed: int) -> None:
    model = MicroTransformer(cfg, seed)
    assert sum(view.size for view in model.params.values()) == model.theta.size
    for name, view in model.params.items():
        assert np.shares_memory(view, model.theta), name
        view[...] = 7  # every number of theta is reached by exactly one view
    assert (model.theta == 7).all()
    model.theta[:] = 3
    assert all((view == 3).all() for view in model.params.values())


@given(configs())
def test_names_and_shapes_of_the_parameters(cfg: ModelConfig) -> None:
    V, T, d, f = cfg.vocab_size, cfg.seq_len, cfg.d_model, cfg.d_ff
    expected = {"embed.tokens": (V, d), "W_U": (d, V)}
    expected |= {"embed.positions": (T, d)} if cfg.positions else {}
    expected |= {"norm_out": (d,)} if cfg.norm == "pre" else {}
    for layer in range(cfg.n_layers):
        at = f"layers.{layer}."
        expected |= {at + name: (d, d) for name in ("W_Q", "W_K", "W_V", "W_O")}
        expected |= {at + "W_gate": (d, f), at + "W_up": (d, f), at + "W_down": (f, d)}
        expected |= {at + name: (d,) for name in ("norm_attn", "norm_ffn") if cfg.norm != "none"}
    assert {name: view.shape for name, view in MicroTransformer(cfg).params.items()} == expected


@given(models(), MASKS, SEEDS)
def test_gradients_have_the_names_and_shapes_of_params(model: MicroTransformer, mask: str, seed: int) -> None:
    tokens = some_tokens(model.cfg, seed)
    _, gradients = model.loss_and_grads(tokens, tokens, masks.additive(mask, model.cfg.seq_len))
    assert gradients.keys() == model.params.keys()
    for name, gradient in gradients.items():
        assert gradient.shape == model.params[name].shape, name
        assert not np.shares_memory(gradient, model.theta), name


@given(configs(), SEEDS)
def test_float32_and_float64_models_of_one_seed_start_at_one_point(cfg: ModelConfig, seed: int) -> None:
    wide = MicroTransformer(cfg, seed, np.float64)
    np.testing.assert_array_equal(MicroTransformer(cfg, seed).theta, wide.theta.astype(np.float32))
    assert (MicroTransformer(cfg, seed ^ 1, np.float64).theta != wide.theta).any()


@pytest.mark.parametrize("n_layers", [1, 2, 4])
def test_untrained_weights_have_the_spread_that_keeps_the_stream_in_size(n_layers: int) -> None:
    """1/sqrt(rows), and less by sqrt(2L) for the two matrices of each layer that add to the stream."""
    d, f = 128, 256
    model = MicroTransformer(ModelConfig(d_model=d, d_ff=f, n_layers=n_layers), seed=0)
    adds = 1 / np.sqrt(2 * n_layers)
    spread = {"W_Q": d**-0.5, "W_K": d**-0.5, "W_V": d**-0.5, "W_O": d**-0.5 * adds}
    spread |= {"W_gate": d**-0.5, "W_up": d**-0.5, "W_down": f**-0.5 * adds}
    for name, view in model.params.items():
        kind = name.rpartition(".")[2]
        if kind.startswith("norm_"):
            assert (view == 1).all(), name
        elif kind in spread:
            assert view.std() == pytest.approx(spread[kind], rel=0.05), name
            assert abs(view.mean()) < 0.05 * view.std(), name


# Numbers


@given(
    st.sampled_from(["pre", "post", "none"]), VOCABULARIES, st.integers(2, 8), st.integers(1, 4), st.booleans(), SEEDS
)
def test_an_untrained_model_guesses(norm: str, V: int, T: int, n_layers: int, positions: bool, seed: int) -> None:
    """At the default width the first loss lies within 5% of ln V: no token is preferred yet."""
    cfg = ModelConfig(vocab_size=V, seq_len=T, n_layers=n_layers, norm=norm, positions=positions)  # type: ignore[arg-type]
    model = MicroTransformer(cfg, seed)
    rng = np.random.default_rng(seed)
    tokens, targets = rng.integers(0, V, (2, 256, T))
    loss, _ = model.loss_and_grads(tokens, targets, masks.additive("bidirectional", T))
    assert loss == pytest.approx(log(V), rel=0.05)


@pytest.mark.parametrize("size", [1e4, 1e20])
def test_large_scores_neither_overflow_nor_warn(size: float) -> None:
    """In float32 exp(89) is already infinite."""
    rng = np.random.default_rng(0)
    big = np.float32(size) * np.array([[1, -1, 0, 0.5], [-1, -1, -1, -1], [1, 1, 1, 1], [0, 0, 0, -1]], np.float32)
    targets = np.array([0, 1, 2, 3])
    M = masks.additive("causal", 4)
    with np.errstate(all="raise", under="ignore"):  # exp(-20,000) does underflow, to the 0 it should be
        P = layers.softmax(big + M)
        assert P.dtype == np.float32
        np.testing.assert_allclose(P.sum(axis=-1), 1, rtol=1e-6)
        assert np.isfinite(layers.softmax_backward(rng.standard_normal(P.shape).astype(np.float32), P)).all()

        nll, cache = layers.cross_entropy(big, targets)
        np.testing.assert_allclose(nll, [0, log(4), log(4), size + log(3)], rtol=1e-6, atol=1e-6)
        assert np.isfinite(layers.cross_entropy_backward(cache)).all()

        one = np.ones_like(big)
        hidden, swiglu_cache = layers.swiglu(big, one)
        np.testing.assert_allclose(hidden, np.maximum(big, 0), rtol=1e-6, atol=1e-6)
        dgate, dup = np.empty_like(big), np.empty_like(big)
        layers.swiglu_backward(one, swiglu_cache, dgate, dup)
        assert np.isfinite(dgate).all() and np.isfinite(dup).all()


def test_attention_with_scores_of_10_000_picks_the_largest() -> None:
    Q = K = 100 * np.eye(4, dtype=np.float32)[None, None]  # q.k is 10,000 on the diagonal and 0 elsewhere
    V = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    with np.errstate(all="raise", under="ignore"):
        O, cache = layers.attention(Q, K, V, masks.additive("causal", 4), 1.0)
        gradients = np.empty((3, *Q.shape), np.float32)
        layers.attention_backward(np.ones_like(O), cache, *gradients)
    np.testing.assert_array_equal(O, V)
    assert np.isfinite(gradients).all()


@given(models(), MASKS, SEEDS)
def test_no_number_changes_its_type(model: MicroTransformer, mask: str, seed: int) -> None:
    """A float32 model computes in float32 from end to end, even if it is handed a float64 mask."""
    cfg, dtype = model.cfg, model.theta.dtype
    tokens = some_tokens(cfg, seed)
    M = masks.additive(mask, cfg.seq_len).astype(np.float64)
    assert {name: t.dtype for name, t in model.trace(tokens, M).items() if t.dtype != dtype} == {}
    loss, gradients = model.loss_and_grads(tokens, tokens, M)
    assert type(loss) is float
    assert {name: g.dtype for name, g in gradients.items() if g.dtype != dtype} == {}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_training_run_keeps_its_type(dtype: type) -> None:
    settings = TrainConfig(train_sequences=20, batch_size=8, weight_decay=0.1)
    trainer = Trainer(ModelConfig(vocab_size=3, seq_len=3), settings, dtype)
    trainer.run_epoch()
    adam, saved = trainer.optimiser, trainer.checkpoint
    arrays = [trainer.model.theta, adam.m, adam.v, saved.theta, saved.m, saved.v, *trainer.snapshots]
    assert {a.dtype for a in arrays} == {np.dtype(dtype)}


# What a model refuses

FOUR = np.zeros((1, 4), np.int64)


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (np.zeros(4, np.int64), r"^tokens must have shape \(B, 4\) with B >= 1, but the shape is \(4,\)\.$"),
        (np.zeros((1, 5), np.int64), r"^tokens must have shape .*\(1, 5\)\.$"),
        (np.zeros((0, 4), np.int64), r"^tokens must have shape .*\(0, 4\)\.$"),
        (np.zeros((1, 4)), r"^tokens must be integers, but they are float64\.$"),
        (FOUR + 8, r"^tokens must lie between 0 and 7; found 8 to 8\.$"),
        (FOUR - 1, r"^tokens must lie between 0 and 7; found -1 to -1\.$"),
    ],
)
def test_wrong_tokens_are_refused(tokens: np.ndarray, sentence: str) -> None:
    model = MicroTransformer(ModelConfig())
    M = masks.additive("causal", 4)
    with pytest.raises(ValueError, match=sentence):
        model.forward(tokens, M)
    with pytest.raises(ValueError, match=sentence):
        model.trace(tokens, M)
    with pytest.raises(ValueError, match=sentence.replace("tokens", "targets", 1)):
        model.loss_and_grads(FOUR, tokens, M)


def test_wrong_weights_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^dtype must be float32 or float64, but it is int32\.$"):
        MicroTransformer(ModelConfig(), dtype=np.int32)
    with pytest.raises(ValueError, match=r"but theta has shape \(3,\)\.$"):
        MicroTransformer(ModelConfig(), theta=np.zeros(3, np.float32))
