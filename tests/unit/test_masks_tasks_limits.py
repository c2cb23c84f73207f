"""Masks, tasks, data and the exact limits."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from math import fsum, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microtransformer import MicroTransformer, ModelConfig, TrainConfig, limits, masks, tasks

# Masks


@given(st.integers(1, 8))
def test_masks_hold_0_and_minus_infinity_only(T: int) -> None:
    for name in masks.MASKS:
        M = masks.additive(name, T)
        assert M.shape == (T, T) and M.dtype == np.float32
        assert set(M.ravel().tolist()) <= {0.0, -np.inf}
        np.testing.assert_array_equal(M == 0, masks.allowed(name, T))
        masks.check(M, T)  # no named mask leaves a row empty


def test_masks_of_four_positions() -> None:
    np.testing.assert_array_equal(masks.additive("bidirectional", 4), np.zeros((4, 4)))
    x = -np.inf
    np.testing.assert_array_equal(masks.additive("causal", 4), [[0, x, x, x], [0, 0, x, x], [0, 0, 0, x], [0, 0, 0, 0]])


def test_unknown_masks_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^mask must be one of bidirectional, causal, but it is 'diagonal'\.$"):
        masks.additive("diagonal", 4)
    with pytest.raises(ValueError, match=r"^A mask needs at least one position, but T is 0\.$"):
        masks.additive("causal", 0)


@pytest.mark.parametrize(
    ("M", "sentence"),
    [
        (np.zeros((3, 4)), r"^The mask must have shape \(4, 4\), but it has shape \(3, 4\)\.$"),
        (np.zeros(4), r"^The mask must have shape \(4, 4\), but it has shape \(4,\)\.$"),
        (np.full((4, 4), np.nan), r"^The mask must hold finite numbers and -inf only, but it holds NaN or \+inf\.$"),
        (np.full((4, 4), np.inf), r"^The mask must hold finite numbers and -inf only, but it holds NaN or \+inf\.$"),
        (np.where(np.arange(4)[:, None] == 2, -np.inf, np.zeros((4, 4))), r"^Row 2 of the mask allows no key .*\.$"),
    ],
)
def test_unusable_masks_are_refused_by_every_pass(M: np.ndarray, sentence: str) -> None:
    model, tokens = MicroTransformer(ModelConfig()), np.zeros((1, 4), np.int64)
    for use in (model.forward, model.trace, lambda tokens, M: model.loss_and_grads(tokens, tokens, M)):
        with pytest.raises(ValueError, match=sentence):
            use(tokens, M)


# Tasks


@pytest.mark.parametrize(
    ("task", "probe", "target"),
    [
        ("reverse", "CAFH", "HFAC"),
        ("reverse", "AABB", "BBAA"),
        ("copy", "CAFH", "CAFH"),
        ("copy", "HHAH", "HHAH"),
        ("sort", "CAFH", "ACFH"),
        ("sort", "HGAA", "AAGH"),
        ("sort", "BABA", "AABB"),
    ],
)
def test_targets_of_four_letters(task: str, probe: str, target: str) -> None:
    tokens = tasks.encode(probe, 8, 4)
    assert tasks.decode(tasks.TASKS[task].target(tokens)[0]) == target


@given(st.integers(2, 26), st.integers(2, 8), st.sampled_from(["int32", "int64", "uint8"]), st.integers(0, 2**32 - 1))
def test_targets_are_new_int64_arrays(V: int, T: int, dtype: str, seed: int) -> None:
    """Row by row, whatever integers come in, and never a view of the input, which a caller may change."""
    tokens = np.random.default_rng(seed).integers(0, V, (5, T)).astype(dtype)
    before = tokens.copy()
    rules = {"reverse": lambda row: row[::-1], "copy": lambda row: row, "sort": sorted}
    assert rules.keys() == tasks.TASKS.keys()
    for name, rule in rules.items():
        target = tasks.TASKS[name].target(tokens)
        assert target.dtype == np.int64 and target.shape == tokens.shape and target.flags.c_contiguous
        assert not np.shares_memory(target, tokens)
        assert target.tolist() == [list(rule(row)) for row in tokens.tolist()]
    np.testing.assert_array_equal(tokens, before)


def test_every_task_has_a_name_a_label_and_a_drawing_of_its_rule() -> None:
    for name, task in tasks.TASKS.items():
        assert task.name == name and task.label == name.capitalize()
        drawing = task.rule.__doc__ or ""
        assert "input   C A F H" in drawing
        assert f"target  {' '.join(tasks.decode(task.target(tasks.encode('CAFH', 8, 4))[0]))}" in drawing


# Letters


@given(st.integers(2, 26), st.integers(2, 8), st.data())
def test_decode_undoes_encode(V: int, T: int, data: st.DataObject) -> None:
    text = data.draw(st.text(tasks.LETTERS[:V], min_size=T, max_size=T))
    tokens = tasks.encode(text, V, T)
    assert tokens.shape == (1, T) and tokens.dtype == np.int64
    assert tasks.decode(tokens[0]) == text
    np.testing.assert_array_equal(tasks.encode(f" {text.lower()}\n", V, T), tokens)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ABCI", r"^“I” is not one of the letters A to H\.$"),
        ("AB1D", r"^“1” is not one of the letters A to H\.$"),
        ("A BC", r"^“ ” is not one of the letters A to H\.$"),
        ("ABÇD", r"^“Ç” is not one of the letters A to H\.$"),
        ("ABC", r"^A sequence has 4 letters, A to H; this one has 3\.$"),
        ("ABCDE", r"^A sequence has 4 letters, A to H; this one has 5\.$"),
        ("", r"^A sequence has 4 letters, A to H; this one has 0\.$"),
    ],
)
def test_wrong_probes_are_explained(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        tasks.encode(text, 8, 4)


# Data


def distinct(tokens: np.ndarray) -> set[tuple[int, ...]]:
    return set(map(tuple, tokens.tolist()))


@pytest.mark.parametrize(("V", "T"), [(2, 2), (3, 5), (8, 4), (2, 8), (16, 4)])
def test_enumeration_lists_every_sequence_once_in_counting_order(V: int, T: int) -> None:
    listed = tasks.enumerate_sequences(V, T)
    assert listed.dtype == np.int64
    assert list(map(tuple, listed.tolist())) == list(product(range(V), repeat=T))


def test_more_than_65_536_sequences_are_not_listed() -> None:
    with pytest.raises(ValueError, match=r"^26\^8 = 208,827,064,576 sequences are too many to list; .*65,536 are\.$"):
        tasks.enumerate_sequences(26, 8)


@st.composite
def splits(draw: st.DrawFn) -> tuple[int, int, int, int, int]:
    """(V, T, training, held-out, seed), on both sides of the line between listing and sampling."""
    V, T = draw(st.integers(2, 26)), draw(st.integers(2, 8))
    return V, T, draw(st.integers(1, 2000)), draw(st.integers(1, 2000)), draw(st.integers(0, 2**32 - 1))


@given(splits())
def test_training_and_held_out_sequences_are_distinct_and_disjoint(case: tuple[int, int, int, int, int]) -> None:
    V, T, n, m, seed = case
    train, held_out = tasks.split(V, T, n, m, seed)
    assert len(train) == min(n, V**T * 7 // 8)
    assert len(held_out) == min(m, V**T - len(train))
    for part in (train, held_out):
        assert part.shape[1] == T and part.dtype == np.int64
        assert part.min() >= 0 and part.max() < V
        assert len(distinct(part)) == len(part)
    assert not distinct(train) & distinct(held_out)
    again = tasks.split(V, T, n, m, seed)
    np.testing.assert_array_equal(again[0], train)
    np.testing.assert_array_equal(again[1], held_out)


@given(st.sampled_from([(8, 4), (26, 8)]), st.integers(0, 2**32 - 2))
def test_another_seed_splits_otherwise(shape: tuple[int, int], seed: int) -> None:
    one, other = (tasks.split(*shape, 100, 100, s)[0] for s in (seed, seed + 1))
    assert (one != other).any()


@given(st.integers(0, 2**32 - 1))
def test_fewer_held_out_sequences_are_the_first_of_more(seed: int) -> None:
    """So a quick look at a few held-out sequences leaves the training run itself unchanged."""
    train, held_out = tasks.split(8, 4, 512, 3584, seed)
    few_train, few = tasks.split(8, 4, 512, 100, seed)
    np.testing.assert_array_equal(few_train, train)
    np.testing.assert_array_equal(few, held_out[:100])


def test_every_sequence_can_be_drawn_where_they_are_too_many_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last few of 125 must still be found; the line is lowered because drawing 83,521 takes seconds."""
    monkeypatch.setattr(tasks, "MAX_ENUMERATED", 100)
    train, held_out = tasks.split(5, 3, 10**9, 10**9, 0)
    assert len(train) == 125 * 7 // 8
    assert len(train) + len(held_out) == 125 == len(distinct(np.concatenate([train, held_out])))


def test_the_default_run_uses_all_4_096_sequences() -> None:
    cfg, run = ModelConfig(), TrainConfig()
    train, held_out = tasks.split(cfg.vocab_size, cfg.seq_len, run.train_sequences, run.held_out_sequences, run.seed)
    assert (len(train), len(held_out)) == (512, 3584)


# Limits


def brute_force(task: str, mask: str, V: int, T: int) -> tuple[list[float], list[Fraction]]:
    """Cross-entropy and accuracy per position, counted with dictionaries and exact fractions."""
    rules = {"reverse": lambda s: s[::-1], "copy": lambda s: s, "sort": lambda s: tuple(sorted(s))}
    ce, accuracy = [], []
    for i in range(T):
        counts: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
        for sequence in product(range(V), repeat=T):
            visible = sequence[: i + 1] if mask == "causal" else sequence
            counts[visible][rules[task](sequence)[i]] += 1
        total = V**T
        ce.append(fsum(-n / total * log(Fraction(n, c.total())) for c in counts.values() for n in c.values()))
        accuracy.append(sum(Fraction(max(c.values()), total) for c in counts.values()))
    return ce, accuracy


@pytest.mark.parametrize("mask", masks.MASKS)
@pytest.mark.parametrize("task", tasks.TASKS)
@pytest.mark.parametrize(("V", "T"), [(8, 4), (2, 2), (2, 8), (3, 5), (26, 2)])
def test_limits_equal_a_count_by_hand(task: str, mask: str, V: int, T: int) -> None:
    ce, accuracy = brute_force(task, mask, V, T)
    limit = limits.bayes_limit(task, mask, V, T)
    np.testing.assert_allclose(limit.ce_per_position, ce, rtol=0, atol=1e-12)
    np.testing.assert_allclose(limit.accuracy_per_position, [float(a) for a in accuracy], rtol=0, atol=1e-12)
    assert abs(limit.ce - fsum(ce) / T) <= 1e-12
    assert abs(limit.accuracy - float(sum(accuracy) / T)) <= 1e-12


def test_limits_of_causal_reverse() -> None:
    """Positions 0 and 1 must guess one token in eight; 2 and 3 have seen theirs."""
    limit = limits.bayes_limit("reverse", "causal")
    assert abs(limit.ce - log(8) / 2) <= 1e-12
    assert limit.accuracy == 0.5625
    assert limit.accuracy_per_position == (0.125, 0.125, 1, 1)
    np.testing.assert_allclose(limit.ce_per_position, [log(8), log(8), 0, 0], rtol=0, atol=1e-12)


def test_limits_of_causal_sort() -> None:
    limit = limits.bayes_limit("sort", "causal")
    assert round(limit.ce, 5) == 0.81617
    assert round(limit.accuracy, 5) == 0.66260
    assert [round(a, 4) for a in limit.accuracy_per_position] == [0.4678, 0.5239, 0.6587, 1]


@pytest.mark.parametrize(("task", "mask"), [("copy", "causal"), *((task, "bidirectional") for task in tasks.TASKS)])
def test_a_model_that_sees_what_it_needs_can_be_perfect(task: str, mask: str) -> None:
    limit = limits.bayes_limit(task, mask)
    assert (limit.ce, limit.accuracy) == (0, 1)
    assert "-0" not in str(limit.ce)  # a sign that a reader would wonder at
    assert limit.accuracy_per_position == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("rotate", "causal"), r"^task must be one of reverse, copy, sort, but it is 'rotate'\.$"),
        (("sort", "diagonal"), r"^mask must be one of bidirectional, causal, but it is 'diagonal'\.$"),
        (("sort", "causal", 17, 4), r"^17\^4 = 83,521 sequences are too many to list; at most 65,536 are\.$"),
    ],
)
def test_limits_that_cannot_be_counted_are_refused(arguments: tuple, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        limits.bayes_limit(*arguments)
