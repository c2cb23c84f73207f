"""The spread of q . k: drawn at random, and of a model's own queries and keys."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microtransformer import Trainer, masks, theory
from microtransformer.theory.scores import DRAWN


@given(st.integers(1, 512), st.integers(0, 2**32 - 1), st.integers(2, 64))
def test_the_spread_is_the_root_of_the_width(d_k: int, seed: int, tokens: int) -> None:
    found = theory.score_spread(d_k, seed, tokens)
    assert found["predicted"] == sqrt(d_k) and found["uniform_entropy"] == log(tokens)
    # Of the numbers drawn, at least this many are independent; six standard errors.
    sequences = found["scores"] / tokens**2
    variance_error = sqrt((2 / tokens**2 + 4 / (tokens * d_k) + 4 / (tokens * d_k) ** 2) / sequences)
    assert abs(found["unscaled"]["std"] ** 2 / d_k - 1) < 6 * variance_error + 0.01
    assert found["scaled"]["std"] == pytest.approx(found["unscaled"]["std"] / sqrt(d_k), rel=1e-4)
    for kind in (found["unscaled"], found["scaled"]):
        assert 1 / tokens <= kind["max_probability"] <= 1
        assert 0 <= kind["entropy"] <= found["uniform_entropy"] + 1e-6
        assert kind["ranked"] == sorted(kind["ranked"], reverse=True) and len(kind["ranked"]) == tokens
        assert sum(kind["ranked"]) == pytest.approx(1, abs=1e-5)
        bins = np.diff(found["edges"])
        assert (bins * kind["density"]).sum() + kind["outside"] == pytest.approx(1, abs=1e-9)


def test_what_softmax_makes_of_it_by_other_formulas() -> None:
    """The same draws, in double precision, with the entropy as log-sum-exp minus the mean score."""
    d_k, T = 64, 16
    found = theory.score_spread(d_k, seed=5)
    Q, K = np.random.default_rng(5).standard_normal((2, DRAWN // (T * d_k), T, d_k), dtype=np.float32).astype(float)
    S = np.einsum("sik,sjk->sij", Q, K)
    assert found["scores"] == S.size
    for kind, scores in ((found["unscaled"], S), (found["scaled"], S / 8)):
        assert kind["std"] == pytest.approx(scores.std(), rel=1e-5)
        total = np.exp(scores).sum(axis=-1)
        P = np.exp(scores) / total[..., None]
        assert kind["max_probability"] == pytest.approx(P.max(axis=-1).mean(), rel=1e-5)
        assert kind["entropy"] == pytest.approx((np.log(total) - (P * scores).sum(axis=-1)).mean(), rel=1e-4)
        assert kind["ranked"] == pytest.approx(np.sort(P, axis=-1)[..., ::-1].mean(axis=(0, 1)), rel=1e-4)
        share = ((scores >= 0) & (scores < 0.5)).mean()
        assert kind["density"][80] / 2 == pytest.approx(share, abs=2 / S.size)  # bins of width 1/2, from -40


def test_the_article_says_11_3_at_128() -> None:
    found = theory.score_spread(128)
    assert f"{found['predicted']:.1f}" == "11.3"
    assert found["unscaled"]["std"] == pytest.approx(11.3, abs=0.3)
    assert found["scaled"]["std"] == pytest.approx(1, abs=0.03)
    # Unscaled, one key takes most of the attention; scaled, the rows stay near uniform.
    assert found["unscaled"]["max_probability"] > 0.8 and found["unscaled"]["entropy"] < 0.5
    assert found["scaled"]["max_probability"] < 0.3 and found["scaled"]["entropy"] > 0.8 * log(16)


def test_one_seed_gives_one_result() -> None:
    assert theory.score_spread(8, seed=1) == theory.score_spread(8, seed=1)
    assert theory.score_spread(8, seed=1) != theory.score_spread(8, seed=2)


def test_widths_in_order() -> None:
    assert [found["d_k"] for found in theory.spread_by_width([1, 4, 2])] == [1, 4, 2]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((0,), r"^d_k must be from 1 to 512, but it is 0\.$"),
        ((513,), r"^d_k must be from 1 to 512, but it is 513\.$"),
        ((2.5,), r"^d_k must be a whole number from 1 to 512, but it is 2\.5\.$"),
        ((8, -1), r"^seed must be from 0 to 4,294,967,295, but it is -1\.$"),
        ((8, 0, 1), r"^tokens must be from 2 to 64, but it is 1\.$"),
        ((8, 0, 16, 0.0), r"^reach must be a finite number greater than 0, but it is 0\.0\.$"),
    ],
)
def test_wrong_settings_are_refused(arguments: tuple, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        theory.score_spread(*arguments)


@pytest.mark.parametrize("mask", masks.MASKS)
def test_a_models_spread_counts_the_pairs_that_the_mask_allows(small_trainer: Trainer, mask: str) -> None:
    small_trainer.run_epoch()
    model, tokens = small_trainer.model, small_trainer.train_tokens[:4]
    T, d_k = model.cfg.seq_len, model.cfg.d_k
    found = theory.model_score_spread(model, tokens, mask)
    assert [(head["layer"], head["head"]) for head in found] == [(0, 0), (0, 1)]
    trace = model.trace(tokens, masks.additive(mask, T))
    for head in found:
        Q, K = (trace[f"layers.0.{name}"][:, head["head"]].astype(float) for name in ("Q", "K"))
        pairs = [
            sum(Q[b, i, c] * K[b, j, c] for c in range(d_k))
            for b in range(4)
            for i in range(T)
            for j in range(T)
            if mask == "bidirectional" or j <= i
        ]
        assert head["std"] == pytest.approx(np.std(pairs), rel=1e-9)
        assert head["mean"] == pytest.approx(np.mean(pairs), rel=1e-9, abs=1e-12)
        assert head["std_scaled"] == pytest.approx(np.std(pairs) / sqrt(d_k), rel=1e-9)
        assert head["predicted"] == 2
        assert head["if_independent"] == pytest.approx(2 * sqrt((Q**2).mean()) * sqrt((K**2).mean()), rel=1e-9)
