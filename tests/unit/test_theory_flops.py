"""Counts of operations: closed forms, published sizes, and the products of an actual forward pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microtransformer import MicroTransformer, ModelConfig, masks, parameters, theory

SIZES = st.integers(1, 10_000)


class Counted(np.ndarray):
    """An array that counts the operations of every matrix product that it or its results take part in."""

    counted = 0.0

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        arrays = [np.asarray(value) if isinstance(value, Counted) else value for value in inputs]
        if out is not None:
            options["out"] = tuple(np.asarray(array) for array in out)
        result = getattr(ufunc, method)(*arrays, **options)
        if ufunc is np.matmul:
            Counted.counted += 2.0 * result.size * arrays[0].shape[-1]
        return out[0] if out is not None else np.asarray(result).view(Counted)


@pytest.mark.parametrize(
    ("cfg", "batch"),
    [
        (ModelConfig(), 1),
        (ModelConfig(), 5),
        (ModelConfig(vocab_size=5, seq_len=7, d_model=12, n_heads=3, n_layers=3, d_ff=10, norm="post"), 2),
        (ModelConfig(seq_len=2, d_model=6, n_heads=1, n_layers=1, d_ff=1, norm="none", positions=False), 3),
    ],
)
def test_the_products_of_a_forward_pass_are_as_many(cfg: ModelConfig, batch: int) -> None:
    theta = parameters.initialise(cfg, 0, np.float64).view(Counted)
    model = MicroTransformer(cfg, theta=theta)
    tokens = np.zeros((batch, cfg.seq_len), int)
    Counted.counted = 0.0
    model.forward(tokens, masks.additive("causal", cfg.seq_len))
    found = theory.model_flops(cfg, batch)
    assert Counted.counted == found["total"] > 0
    assert found["layers"] + found["unembedding"] == found["total"]


@given(SIZES, SIZES)
def test_the_layer_of_2017(T: int, d: int) -> None:
    found = theory.layer_flops(T, d)
    assert found["qkv"] == 6 * T * d**2
    assert found["scores"] == found["values"] == 2 * T**2 * d
    assert found["output"] == 2 * T * d**2
    assert found["feedforward"] == 16 * T * d**2
    assert found["linear"] == 24 * T * d**2
    assert found["quadratic"] == 4 * T**2 * d
    assert found["total"] == pytest.approx(24 * T * d**2 + 4 * T**2 * d, rel=1e-15)
    assert found["linear_share"] + found["quadratic_share"] == pytest.approx(1, rel=1e-12)
    assert theory.layer_flops(T, d, causal_half=True)["quadratic"] == 2 * T**2 * d


@given(st.integers(1, 3000))
def test_swiglu_with_two_thirds_of_the_width_costs_the_same(third: int) -> None:
    d = 3 * third
    assert theory.layer_flops(7, d, d_ff=8 * third, gated=True) == theory.layer_flops(7, d)


def test_the_shares_that_the_article_quotes() -> None:
    found = theory.layer_flops(4096, 4096)
    assert found["linear_share"] == pytest.approx(24 / 28, rel=1e-12)
    assert found["feedforward_share"] == pytest.approx(16 / 28, rel=1e-12)
    assert (f"{found['linear_share']:.1%}", f"{found['feedforward_share']:.1%}") == ("85.7%", "57.1%")


@given(st.integers(1, 4096), SIZES, st.booleans(), st.integers(1, 4096), st.booleans())
def test_beyond_the_crossover_attention_costs_more(d: int, f: int, gated: bool, kv: int, half: bool) -> None:
    T = theory.crossover(d, f, gated, kv, half)
    below, above = max(1, int(T)), int(T) + 1
    at = theory.layer_flops(below, d, f, gated, kv, half)
    assert at["quadratic"] <= at["linear"] or below > T
    at = theory.layer_flops(above, d, f, gated, kv, half)
    assert at["quadratic"] > at["linear"]


def test_the_crossover_that_the_article_quotes() -> None:
    assert theory.crossover(4096) == 6 * 4096 == 24_576
    assert theory.crossover(4096, causal_half=True) == 12 * 4096


def test_the_curve() -> None:
    curve = theory.flop_curve(4096, points=9, shortest=100, longest=10_000)
    assert curve["T"][0] == 100 and curve["T"][-1] == 10_000 and len(curve["T"]) == 9
    assert curve["T"][4] == 1000  # halfway on a log axis
    for i, T in enumerate(curve["T"]):
        at = theory.layer_flops(T, 4096)
        assert (curve["linear"][i], curve["quadratic"][i]) == (at["linear"], at["quadratic"])
        assert curve["quadratic_share"][i] == at["quadratic_share"]
    assert theory.flop_curve(8, shortest=1, longest=3, points=50)["T"] == [1, 2, 3]  # rounded, each once


# Parameters of one layer, from the published totals without embeddings or from the shapes of the released weights.
WEIGHTS = {
    "gpt2": 7_077_888,  # 85M in 12 layers
    "gpt2-xl": 30_720_000,  # 1.47B in 48
    "gpt3": 1_811_939_328,  # 174B in 96
    "llama2-7b": 202_375_168,  # 67,108,864 for attention, 135,266,304 for the feedforward
    "llama3-8b": 218_103_808,  # 6.98B in 32
}


@pytest.mark.parametrize("key", theory.PRESETS)
def test_a_preset_costs_two_operations_per_weight_and_token(key: str) -> None:
    preset = theory.PRESETS[key]
    assert preset["d"] % preset["n_heads"] == 0 and preset["n_heads"] % preset["n_kv_heads"] == 0
    found = theory.preset_flops(key)
    assert found["T"] == preset["context"]
    assert found["layer"]["linear"] == 2 * WEIGHTS[key] * found["T"]
    assert found["all_layers"] == preset["n_layers"] * found["layer"]["total"]
    assert theory.preset_flops(key, 1000)["layer"]["quadratic"] == 4 * 1000**2 * preset["d"]


def test_a_preset_reaches_its_crossover() -> None:
    T = theory.preset_flops("llama3-8b")["crossover"]
    at = theory.preset_flops("llama3-8b", int(T))["layer"]
    assert at["linear"] == at["quadratic"]


@pytest.mark.parametrize("half", [True, False])
@pytest.mark.parametrize("key", [None, *theory.PRESETS])
def test_the_picture_shares_out_the_total(key: str | None, half: bool) -> None:
    picture = theory.flops_picture(1000, None if key else 4096, key, half)
    sizes = (picture["d"], picture["d_ff"], picture["gated"], picture["d_kv"], half)
    assert picture["layer"] == theory.layer_flops(1000, *sizes)
    assert picture["crossover"] == theory.crossover(*sizes)
    assert picture["curve"] == theory.flop_curve(*sizes, points=2)
    assert picture["curve"]["T"] == [128, 2**20]
    assert (picture["T"], picture["causal_half"]) == (1000, half)
    shares = picture["shares"]
    assert sum(shares.values()) == pytest.approx(1, rel=1e-12)
    assert shares["scores"] + shares["values"] == pytest.approx(picture["layer"]["quadratic_share"], rel=1e-12)
    if key is None:
        assert picture["preset"] is None and sizes[:4] == (4096, 4 * 4096, False, 4096)
    else:
        assert picture["preset"] == theory.PRESETS[key]
        assert picture["layer"] == theory.preset_flops(key, 1000, half)["layer"]


def test_wrong_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^A layer has either a width d or the key of a preset; give one of them\.$"):
        theory.flops_picture(8)
    with pytest.raises(ValueError, match=r"^A layer has either a width d or the key of a preset; give one of them\.$"):
        theory.flops_picture(8, 8, "gpt2")
    with pytest.raises(ValueError, match=r"^T must be from 1 to 1,000,000,000, but it is 0\.$"):
        theory.layer_flops(0, 8)
    with pytest.raises(ValueError, match=r"^d must be a whole number from 1 to 1,000,000,000, but it is 8\.5\.$"):
        theory.layer_flops(8, 8.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^The preset must be one of gpt2, .*, but it is 'gpt9'\.$"):
        theory.preset_flops("gpt9")
