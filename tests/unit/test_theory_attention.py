"""The figures about one attention: looking up, single cells, the Jacobian of softmax, the mask."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microtransformer import MicroTransformer, ModelConfig, Trainer, layers, masks, theory
from microtransformer.catalogue import CATALOGUE
from microtransformer.theory.lookup import EXAMPLE, Example

MASKS = st.sampled_from(sorted(masks.MASKS))
SEEDS = st.integers(0, 2**32 - 1)
SCORES = st.lists(st.floats(-5, 5), min_size=1, max_size=8)

# Looking up


def test_the_example_by_hand() -> None:
    found = theory.lookup(3)
    assert found["scores"] == [0, 6, 2, 3]  # it: (3, 1) with (0, 0), (2, 0), (0, 2), (1, 0)
    exponentials = [exp(score / sqrt(2)) for score in (0, 6, 2, 3)]
    weights = [e / sum(exponentials) for e in exponentials]
    assert found["weights"] == pytest.approx(weights, rel=1e-12)
    assert found["output"] == pytest.approx([4 * weights[1] + weights[3], 4 * weights[2] + weights[3]], rel=1e-12)
    assert found["tokens"][int(np.argmax(found["weights"]))] == "cat"


@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, 3), MASKS, st.booleans(), SEEDS)
def test_lookup_is_attention(T: int, d_k: int, d_v: int, mask: str, scale: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, k, v = rng.standard_normal((T, d_k)), rng.standard_normal((T, d_k)), rng.standard_normal((T, d_v))
    example: Example = {"tokens": [str(i) for i in range(T)], "q": q.tolist(), "k": k.tolist(), "v": v.tolist()}
    O, cache = layers.attention(
        q[None, None], k[None, None], v[None, None], masks.additive(mask, T), d_k**-0.5 if scale else 1.0
    )
    for i in range(T):
        found = theory.lookup(i, example, mask, scale)
        np.testing.assert_allclose(found["output"], O[0, 0, i], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(found["weights"], cache[4][0, 0, i], rtol=1e-12)
        np.testing.assert_allclose(np.sum(found["weighted"], axis=0), found["output"], rtol=1e-12, atol=1e-12)
        hidden = [score is None for score in found["scaled"]]
        assert hidden == (~masks.allowed(mask, T)[i]).tolist()
        assert [weight == 0 for weight in found["weights"]] == hidden
        for exponential, weight in zip(found["exponentials"], found["weights"], strict=True):
            assert exponential is not None and found["total"] is not None
            assert exponential / found["total"] == pytest.approx(weight, rel=1e-12)
        assert found["divisor"] == (sqrt(d_k) if scale else 1)
        assert {name: found[name] for name in EXAMPLE} == example  # type: ignore[literal-required]


def test_another_query_stands_in_for_the_tokens_own() -> None:
    own = theory.lookup(3)
    assert theory.lookup(3, query=own["query"]) == own
    found = theory.lookup(3, query=[0, 2])
    assert found == theory.lookup(1) | {"token": 3}  # (0, 2) is what token 1 asks
    assert theory.lookup(3, query=[0, 0])["weights"] == [0.25] * 4
    with pytest.raises(ValueError, match=r"^query must have 2 numbers, as many as a key, but it has 3\.$"):
        theory.lookup(3, query=[1, 2, 3])
    with pytest.raises(ValueError, match=r"^query must be a list of finite numbers, with at least one of them\.$"):
        theory.lookup(3, query=[1, float("inf")])


def test_an_exponential_that_overflows_is_none_and_its_weight_is_not() -> None:
    found = theory.lookup(3, query=[2000, 0])
    assert found["exponentials"][:2] == [1, None] and found["total"] is None
    assert found["weights"] == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("change", "token", "sentence"),
    [
        ({}, 4, r"^token must be from 0 to 3, but it is 4\.$"),
        ({}, True, r"^token must be a whole number"),
        ({"q": [[1, 0]]}, 0, r"^Every token needs a query, a key and a value, .* \(1, 2\), \(4, 2\) and \(4, 2\)"),
        ({"tokens": ["a"]}, 0, r"^Every token needs a query, a key and a value, .* for 1 tokens\.$"),
        ({"v": [[float("nan")]] * 4}, 0, r"^v must be a list of equally long lists of finite numbers"),
        ({"k": [[1], [2, 3]]}, 0, r"^k must be a list of equally long lists of finite numbers"),
        ({"k": [1, 2, 3, 4]}, 0, r"^k must be a list of equally long lists of finite numbers"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(change: dict, token: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        theory.lookup(token, {**EXAMPLE, **change})  # type: ignore[typeddict-item]


# Shapes and cells

CFG = ModelConfig(vocab_size=5, seq_len=3, d_model=8, n_heads=2, n_layers=2, d_ff=6)


def test_the_table_of_shapes() -> None:
    table = theory.shapes_table(ModelConfig(), batch=64)
    assert [row["ids"] for row in table[:3]] == [["X"], ["W_Q", "W_K", "W_V"], ["Q", "K", "V"]]
    assert [row["shape"] for row in table] == [
        [64, 4, 32], [32, 32], [64, 2, 4, 16], [64, 2, 4, 4], [64, 2, 4, 4], [64, 2, 4, 16], [64, 4, 32], [64, 4, 32],
    ]  # fmt: skip
    assert table[3]["axes"] == ["B", "H", "T", "T"]
    assert table[3]["names"] == ["layers.0.S"] and table[3]["sources"] == ["layers.attention"]
    with pytest.raises(ValueError, match=r"^A tensor must be one of .*, but it is 'Z'\.$"):
        theory.shapes_table(CFG, rows=[["Z"]])


def a_trace(scale_scores: bool, seed: int, mask: str) -> tuple[MicroTransformer, dict[str, np.ndarray]]:
    cfg = ModelConfig(**{**vars(CFG), "scale_scores": scale_scores})
    model = MicroTransformer(cfg, seed=1, dtype=np.float64)
    model.theta *= 3
    tokens = np.random.default_rng(seed).integers(0, cfg.vocab_size, (2, cfg.seq_len))
    return model, model.trace(tokens, masks.additive(mask, cfg.seq_len))


@given(st.sampled_from(["S", "O", "Y"]), st.integers(0, 1), MASKS, st.booleans(), st.integers(0, 99), st.data())
def test_a_cell_is_the_sum_of_its_products(
    tensor: str, layer: int, mask: str, scale_scores: bool, seed: int, data: st.DataObject
) -> None:
    model, trace = a_trace(scale_scores, seed, mask)
    array = trace[CATALOGUE[tensor].name(layer)]
    index = tuple(data.draw(st.integers(0, size - 1)) for size in array.shape)
    cell = theory.explain_cell(model, trace, tensor, index, layer)
    assert cell["products"] == pytest.approx([a * b for a, b in zip(cell["left"], cell["right"], strict=True)])
    assert cell["total"] == pytest.approx(sum(cell["products"]), abs=1e-12)
    if array[index] == -np.inf:
        assert cell["value"] is None
    else:
        assert cell["value"] == array[index]
        assert cell["total"] * cell["factor"] == pytest.approx(float(array[index]), rel=1e-9, abs=1e-12)
    assert len(cell["left"]) == {"S": CFG.d_k, "O": CFG.seq_len, "Y": CFG.d_model}[tensor]


@given(st.integers(0, 1), MASKS, st.integers(0, 99), st.data())
def test_a_weight_is_an_exponential_over_their_sum(layer: int, mask: str, seed: int, data: st.DataObject) -> None:
    _, trace = a_trace(True, seed, mask)
    P = trace[f"layers.{layer}.P"]
    index = tuple(data.draw(st.integers(0, size - 1)) for size in P.shape)
    weight = theory.explain_weight(trace, index, layer)
    assert weight["value"] == P[index]
    assert weight["exponentials"][index[-1]] / weight["total"] == pytest.approx(weight["value"], rel=1e-12)
    assert [score is None for score in weight["scores"]] == [e == 0 for e in weight["exponentials"]]


def test_cells_that_do_not_exist_are_refused() -> None:
    model, trace = a_trace(True, 0, "causal")
    with pytest.raises(ValueError, match=r"^tensor must be one of S, O, Y, but it is 'Q'\.$"):
        theory.explain_cell(model, trace, "Q", (0, 0, 0, 0))
    with pytest.raises(ValueError, match=r"^layers\.0\.Y has 3 axes, so a cell has 3 indices, but 4 are given\.$"):
        theory.explain_cell(model, trace, "Y", (0, 0, 0, 0))
    with pytest.raises(ValueError, match=r"^Index 2 of layers\.1\.S must be from 0 to 2, but it is 3\.$"):
        theory.explain_cell(model, trace, "S", (0, 0, 3, 0), layer=1)
    with pytest.raises(ValueError, match=r"^layer must be from 0 to 1, but it is 2\.$"):
        theory.explain_cell(model, trace, "S", (0, 0, 0, 0), layer=2)
    with pytest.raises(ValueError, match=r"^This trace has no layer 2; layers count from 0\.$"):
        theory.explain_weight(trace, (0, 0, 0, 0), layer=2)


# The Jacobian of softmax


@given(SCORES, st.floats(0, 4))
def test_the_jacobian_is_the_slope_of_softmax(scores: list[float], scale: float) -> None:
    found = theory.softmax_jacobian(scores, scale)
    S, step = scale * np.array(scores), 1e-5
    slopes = [(layers.softmax(S + d) - layers.softmax(S - d)) / (2 * step) for d in step * np.eye(len(S))]  # (m, j)
    np.testing.assert_allclose(np.transpose(found["jacobian"]), slopes, rtol=0, atol=1e-9)


@given(SCORES, st.floats(0, 30))
def test_laws_of_the_jacobian(scores: list[float], scale: float) -> None:
    found = theory.softmax_jacobian(scores, scale)
    J = np.array(found["jacobian"])
    np.testing.assert_allclose(J.sum(axis=1), 0, atol=1e-15)
    np.testing.assert_array_equal(J, J.T)
    values = np.linalg.svd(J, compute_uv=False)
    assert found["spectral"] == pytest.approx(values[0], abs=1e-15)
    assert found["frobenius"] == pytest.approx(sqrt(sum(values**2)), abs=1e-15)
    assert 0 <= found["spectral"] <= 0.5 + 1e-15
    assert found["spectral"] <= found["frobenius"] + 1e-15
    # Applied to a gradient, it is the backward pass that trains the model.
    dP = np.linspace(-1, 2, len(scores))
    np.testing.assert_allclose(J @ dP, layers.softmax_backward(dP, np.array(found["probabilities"])), atol=1e-14)


def test_the_jacobian_of_two_scores_in_closed_form() -> None:
    found = theory.softmax_jacobian([1.0, 0.0], 2.0)
    p = 1 / (1 + exp(-2))
    assert found["spectral"] == pytest.approx(2 * p * (1 - p), rel=1e-12)
    assert found["frobenius"] == pytest.approx(2 * p * (1 - p), rel=1e-12)  # of rank one
    equal = theory.softmax_jacobian([3.0, 3.0])
    assert equal["spectral"] == pytest.approx(0.5, rel=1e-12)  # the largest that there is


@given(SCORES, st.floats(1, 5))
def test_the_jacobian_vanishes_as_the_scale_grows(scores: list[float], gap: float) -> None:
    scores = [*scores, max(scores) + gap]  # one largest score, ahead by the gap
    scales = [1.0, 10.0, 100.0, 1000.0]
    curve = theory.jacobian_norms(scores, scales)
    assert curve["scales"] == scales
    for scale, norm in zip(scales, curve["frobenius"], strict=True):
        # The other probabilities sum to q < (T-1) exp(-scale gap), and no row of J is longer than 2 q.
        assert norm <= 2 * len(scores) * (len(scores) - 1) * exp(-scale * gap)
    assert curve["frobenius"][-1] == 0 and curve["spectral"][-1] == 0 and curve["max_probability"][-1] == 1


def test_the_curves_are_the_jacobian_scale_by_scale() -> None:
    scores = [2.0, 1.0, 0.0, -1.0]
    picture = theory.jacobian_picture(scores, 3.0)
    assert picture["at"] == theory.softmax_jacobian(scores, 3.0)
    curve = picture["curve"]
    assert curve["scales"][0] == 0.25 and curve["scales"][-1] == 32
    for i, scale in enumerate(curve["scales"]):
        single = theory.softmax_jacobian(scores, scale)
        assert curve["frobenius"][i] == pytest.approx(single["frobenius"], rel=1e-9)
        assert curve["spectral"][i] == pytest.approx(single["spectral"], rel=1e-9)
        assert curve["max_probability"][i] == pytest.approx(max(single["probabilities"]), rel=1e-12)


def test_the_norms_that_the_article_quotes() -> None:
    norms = theory.jacobian_norms([2, 1, 0, -1], [1, 4, 16])["frobenius"]
    assert [f"{norm:.2g}" for norm in norms] == ["0.38", "0.035", "2.3e-07"]


@pytest.mark.parametrize("scale", [-1.0, float("inf"), float("nan")])
def test_a_wrong_scale_is_refused(scale: float) -> None:
    with pytest.raises(ValueError, match=r"^scale must be a finite number of at least 0, but it is (-1\.0|inf|nan)\.$"):
        theory.softmax_jacobian([1.0], scale)
    with pytest.raises(ValueError, match=r"^scores must be a list of finite numbers, with at least one of them\.$"):
        theory.softmax_jacobian([])


# The causal mask


def test_masked_weights_are_exactly_zero() -> None:
    found = theory.masked_softmax([[9.0, 1, 2, 3], [0, 0, 9, 9], [1, 1, 1, 99], [0, 0, 0, 0]])
    x = None
    assert found["mask"] == [[0, x, x, x], [0, 0, x, x], [0, 0, 0, x], [0, 0, 0, 0]]
    assert found["scores"] == [[9, x, x, x], [0, 0, x, x], [1, 1, 1, x], [0, 0, 0, 0]]
    third = pytest.approx(1 / 3)
    assert found["weights"] == [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [third, third, third, 0], [0.25] * 4]
    assert found["sums"] == pytest.approx([1] * 4, rel=1e-15)
    assert theory.masked_softmax([[0.0, 0], [0, 0]], "bidirectional")["weights"] == [[0.5, 0.5]] * 2
    with pytest.raises(ValueError, match=r"^scores must have as many rows as columns, but they have 1 and 2\.$"):
        theory.masked_softmax([[1.0, 2.0]])


@pytest.mark.parametrize("mask", masks.MASKS)
@pytest.mark.parametrize("position", range(4))
def test_a_changed_token_moves_the_outputs_that_see_it(mask: str, position: int) -> None:
    model = MicroTransformer(ModelConfig(), seed=0)
    found = theory.change_token(model, [3, 1, 4, 1], mask, position)
    assert [change > 0 for change in found["change"]] == found["visible"]
    assert found["visible"] == masks.allowed(mask, 4)[:, position].tolist()
    # The largest over all replacements, one by one.
    M, tokens = masks.additive(mask, 4), np.array([[3, 1, 4, 1]])
    largest = np.zeros(4)
    for token in range(8):
        changed = tokens.copy()
        changed[0, position] = token
        largest = np.maximum(largest, np.abs(model.forward(changed, M) - model.forward(tokens, M)).max(axis=(0, 2)))
    np.testing.assert_allclose(found["change"], largest, rtol=1e-4, atol=1e-6)


def test_wrong_tokens_and_positions_are_refused(small_trainer: Trainer) -> None:
    model = small_trainer.model
    with pytest.raises(ValueError, match=r"^tokens must be one sequence of 3 tokens, but there are 2\.$"):
        theory.change_token(model, [0, 1], "causal", 0)
    with pytest.raises(ValueError, match=r"^position must be from 0 to 2, but it is 3\.$"):
        theory.change_token(model, [0, 1, 2], "causal", 3)
    with pytest.raises(ValueError, match=r"^mask must be one of bidirectional, causal, but it is 'future'\.$"):
        theory.change_token(model, [0, 1, 2], "future", 0)
