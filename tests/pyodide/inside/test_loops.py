"""NumPy's float32 arithmetic with the SIMD loops in place, against its float64 arithmetic, which they do not touch.

For + - * / and the square root, float64 arithmetic on float32 inputs, rounded, is exactly what float32 arithmetic must
give, for normal results (Figueroa 1995): the comparison is for equality.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

Array = np.ndarray[Any, Any]

ELEMENTWISE = [np.add, np.subtract, np.multiply, np.divide, np.maximum, np.negative, np.sqrt]
BINARY = ELEMENTWISE[:-2]
EPS = np.finfo(np.float32).eps

# float32 values of every kind but denormals: a result among those may be rounded twice on the way through float64
SPECIAL = st.sampled_from([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 3e38])
VALUES = st.floats(width=32, allow_subnormal=False) | SPECIAL
ORDINARY = st.floats(-100, 100, width=32, allow_subnormal=False)


def vectors(values: st.SearchStrategy[float], shape: Any) -> st.SearchStrategy[Array]:
    return arrays.arrays(np.float32, shape, elements=values)


@st.composite
def strided(draw: st.DrawFn, values: st.SearchStrategy[float], n: int) -> Array:
    """n values, contiguous or not, forwards or backwards, aligned to 16 bytes or not, or one value repeated."""
    step = draw(st.sampled_from([1, 1, 1, 2, -1, -3, 0]))
    offset = draw(st.integers(0, 3))
    base = draw(vectors(values, max(1, n * abs(step)) + offset))[offset:]
    if step == 0:
        return np.broadcast_to(base[0], (n,))
    return base[: n * abs(step)][:: abs(step)][:: 1 if step > 0 else -1][:n]


def assert_same(ufunc: np.ufunc, got: Array, want: Array) -> None:
    np.testing.assert_array_equal(got, want)
    # Signs of zero count too; only maximum promises none, and NaN has no meaningful one.
    signed = ~np.isnan(want) & ((want != 0) | (ufunc is not np.maximum))
    np.testing.assert_array_equal(np.signbit(got[signed]), np.signbit(want[signed]))


def rounded(ufunc: np.ufunc, *inputs: Array) -> Array:
    """The result in float64, rounded to float32; results that are denormal there are left to the tests below."""
    with np.errstate(all="ignore"):
        return ufunc(*(np.asarray(x, np.float64) for x in inputs)).astype(np.float32)


@pytest.mark.parametrize("ufunc", ELEMENTWISE, ids=lambda f: f.__name__)
@given(st.data())
def test_elementwise_results_are_exact(ufunc: np.ufunc, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 40))
    inputs = [data.draw(strided(VALUES, n)) for _ in range(ufunc.nin)]
    want = rounded(ufunc, *inputs)
    with np.errstate(all="ignore"):
        got = ufunc(*inputs)
    normal = ~((np.abs(want) < np.finfo(np.float32).smallest_normal) & (want != 0))
    assert got.dtype == np.float32
    assert_same(ufunc, got[normal], want[normal])
    np.testing.assert_allclose(got[~normal], want[~normal], rtol=0, atol=2e-45)


@pytest.mark.parametrize("ufunc", ELEMENTWISE, ids=lambda f: f.__name__)
@given(st.data())
def test_elementwise_into_an_output_that_overlaps(ufunc: np.ufunc, data: st.DataObject) -> None:
    """The output may be an input, or lie across it: the result is that of separate arrays."""
    n = data.draw(st.integers(1, 40))
    memory = data.draw(vectors(ORDINARY, n + 9))
    at = data.draw(st.lists(st.integers(0, 9), min_size=ufunc.nin + 1, max_size=ufunc.nin + 1))
    apart = memory.copy()
    want = rounded(ufunc, *(apart[i : i + n] for i in at[:-1]))
    with np.errstate(all="ignore"):
        ufunc(*(memory[i : i + n] for i in at[:-1]), out=memory[at[-1] : at[-1] + n])
    np.testing.assert_array_equal(memory[at[-1] : at[-1] + n], want)


@pytest.mark.parametrize("ufunc", ELEMENTWISE, ids=lambda f: f.__name__)
@given(st.data())
def test_elementwise_with_broadcasting(ufunc: np.ufunc, data: st.DataObject) -> None:
    if ufunc.nin == 1:
        x = data.draw(vectors(ORDINARY, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9)))
        inputs = [x.T]
    else:
        shapes = data.draw(arrays.mutually_broadcastable_shapes(num_shapes=2, max_side=9)).input_shapes
        inputs = [data.draw(vectors(ORDINARY, shape)) for shape in shapes]
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(ufunc(*inputs), rounded(ufunc, *inputs))


@pytest.mark.parametrize("ufunc", BINARY, ids=lambda f: f.__name__)
@given(st.data())
def test_running_results_are_those_of_one_operation_after_the_other(ufunc: np.ufunc, data: st.DataObject) -> None:
    """accumulate hands the loop an output one element behind its input, where a block would read too early."""
    x = data.draw(vectors(ORDINARY, st.integers(1, 40)))
    with np.errstate(all="ignore"):
        want = [x[0]]
        for value in x[1:]:
            want.append(ufunc(want[-1], value))
        np.testing.assert_array_equal(ufunc.accumulate(x), np.array(want, np.float32))


@given(st.data())
def test_sums_err_by_no_more_than_the_usual_bound(data: st.DataObject) -> None:
    """n eps sum|x| (Higham 2002, section 4.2) is what any order of summation keeps."""
    shape = data.draw(arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=40))
    x = data.draw(vectors(ORDINARY, shape))
    for axis in range(x.ndim):
        wide = np.asarray(x, np.float64)
        bound = x.shape[axis] * EPS * np.abs(wide).sum(axis) + 1e-30
        assert (np.abs(np.add.reduce(x, axis) - wide.sum(axis)) <= bound).all()
        np.testing.assert_array_equal(np.maximum.reduce(x, axis), wide.max(axis).astype(np.float32))


def test_long_sums_keep_their_digits() -> None:
    """A million values one after the other would lose about three digits."""
    x = np.random.default_rng(0).random(1_000_003, np.float32)
    assert np.add.reduce(x) == pytest.approx(x.astype(np.float64).sum(), rel=3 * float(EPS))


@pytest.mark.parametrize("n", [1, 4, 9, 600])
def test_a_sum_of_negative_zeros_is_negative_zero(n: int) -> None:
    assert np.signbit(np.add.reduce(np.full(n, -0.0, np.float32), initial=None))


@pytest.mark.parametrize("position", [0, 5, 8, 36])
def test_maximum_keeps_nan_wherever_it_stands(position: int) -> None:
    x = np.zeros(37, np.float32)
    x[position] = np.nan
    assert np.isnan(np.maximum.reduce(x))
    assert np.isnan(x.max(initial=np.float32(3)))


@given(st.data())
def test_exp_is_within_two_units_in_the_last_place(data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 40))
    x = data.draw(strided(VALUES | st.floats(-110, 95, width=32), n))
    with np.errstate(all="ignore"):
        want, got = np.exp(x.astype(np.float64)).astype(np.float32), np.exp(x)
    finite = np.isfinite(want)
    np.testing.assert_array_equal(got[~finite], want[~finite])
    assert (np.abs(got[finite] - want[finite]) <= 2 * np.spacing(want[finite])).all()


def test_exp_over_its_whole_range() -> None:
    """Two hundred thousand evenly spaced inputs from where the result is 0 to where it is inf."""
    x = np.linspace(-105, 90, 200_001).astype(np.float32)
    with np.errstate(all="ignore"):
        want, got = np.exp(x.astype(np.float64)).astype(np.float32), np.exp(x)
    finite = np.isfinite(want)
    np.testing.assert_array_equal(got[~finite], want[~finite])
    assert (np.abs(got[finite] - want[finite]) / np.spacing(want[finite])).max() <= 2


def test_exp_of_special_values() -> None:
    with np.errstate(all="ignore"):
        got = np.exp(np.array([-np.inf, np.inf, np.nan, 0, -0.0, 100, -200, -103.9], np.float32))
    np.testing.assert_array_equal(got, np.array([0, np.inf, np.nan, 1, 1, np.inf, 0, 1e-45], np.float32))


@st.composite
def matrices(draw: st.DrawFn, rows: int, columns: int, stack: int) -> Array:
    """(stack, rows, columns) of any layout: row-major, column-major, every other row or column, backwards."""
    layout = draw(st.sampled_from(["rows", "columns", "sparse rows", "sparse columns", "backwards"]))
    wide = draw(vectors(ORDINARY, (stack, 2 * rows, 2 * columns)))
    match layout:
        case "rows":
            return np.ascontiguousarray(wide[:, :rows, :columns])
        case "columns":
            return np.ascontiguousarray(wide[:, :rows, :columns].swapaxes(1, 2)).swapaxes(1, 2)
        case "sparse rows":
            return wide[:, ::2, :columns]
        case "sparse columns":
            return wide[:, :rows, ::2]
        case _:
            return wide[:, :rows, :columns][:, ::-1, ::-1]


@given(st.data())
def test_products_err_by_no_more_than_the_usual_bound(data: st.DataObject) -> None:
    """n eps |A| |B| (Higham 2002, section 3.5), for every layout, size and stack, and into every output."""
    m, n, p = (data.draw(st.integers(0, 13)) for _ in range(3))
    stack = data.draw(st.integers(1, 3))
    A = data.draw(matrices(m, n, stack))
    B = data.draw(matrices(n, p, data.draw(st.sampled_from([1, stack]))))
    want = A.astype(np.float64) @ B.astype(np.float64)
    bound = n * EPS * (np.abs(A).astype(np.float64) @ np.abs(B)) + 1e-30
    assert (np.abs(A @ B - want) <= bound).all()
    out = np.full((stack, m, 2 * p), np.float32(7))
    np.matmul(A, B, out=out[..., ::2])
    assert (np.abs(out[..., ::2] - want) <= bound).all()
    assert (out[..., 1::2] == 7).all()  # what lies between the columns is not the product's


@pytest.mark.parametrize(("m", "n", "p"), [(3, 300, 400), (5, 20_000, 3)], ids=["the matrix", "four rows"])
def test_a_product_too_large_for_the_scratch_memory(m: int, n: int, p: int) -> None:
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((m, n), np.float32), rng.standard_normal((p, n), np.float32).T
    np.testing.assert_allclose(A @ B, A.astype(np.float64) @ B, rtol=0, atol=1e-2 if n > 1000 else 1e-4)


@given(st.data())
def test_vecdot_errs_by_no_more_than_the_usual_bound(data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 40))
    a, b = data.draw(matrices(5, n, 1))[0], data.draw(matrices(5, n, 1))[0]
    if data.draw(st.booleans()):
        a, b = a.T, b.T
        n = 5
    want = np.vecdot(a.astype(np.float64), b.astype(np.float64))
    bound = n * EPS * np.vecdot(np.abs(a).astype(np.float64), np.abs(b).astype(np.float64)) + 1e-30
    assert (np.abs(np.vecdot(a, b) - want) <= bound).all()


def test_nan_and_infinity_pass_through_products() -> None:
    A = np.array([[np.inf, 1, 2, 3, 4]], np.float32).repeat(5, 0)
    B = np.ones((5, 9), np.float32)
    B[0, 3] = 0
    got = A @ B
    assert np.isnan(got[:, 3]).all()  # inf * 0
    assert np.isposinf(np.delete(got, 3, axis=1)).all()
