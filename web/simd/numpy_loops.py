"""Plug inner loops into NumPy's float32 ufuncs, test them there, and take them out again.

NumPy's C API has a function for the purpose, `PyUFunc_ReplaceLoopBySignature`; it stands at a fixed place of the table
in the capsule `_UFUNC_API` and is called here through ctypes. A loop is a slot of WebAssembly's function table, which
is what a C function pointer is there.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy._core import _multiarray_umath

Array = np.ndarray[Any, Any]

REPLACE_LOOP_BY_SIGNATURE = 30
"""Its place in the table, which is part of NumPy's stable binary interface (numpy/__ufunc_api.h)."""

UFUNCS: dict[str, np.ufunc] = {
    "matmul": np.matmul,
    "vecdot": np.vecdot,
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "maximum": np.maximum,
    "negative": np.negative,
    "sqrt": np.sqrt,
    "exp": np.exp,
}


def _replacer() -> Callable[..., int]:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(pointer(_multiarray_umath._UFUNC_API, None), ctypes.POINTER(ctypes.c_void_p))
    prototype = ctypes.CFUNCTYPE(
        ctypes.c_int,  # 0, or -1 where the ufunc has no loop of that signature
        ctypes.py_object,  # the ufunc
        ctypes.c_void_p,  # the new loop
        ctypes.POINTER(ctypes.c_int),  # the types of its arguments
        ctypes.POINTER(ctypes.c_void_p),  # where the old loop is written
    )
    return prototype(table[REPLACE_LOOP_BY_SIGNATURE])


_replace = _replacer()


def replace(name: str, slot: int) -> int:
    """Make `slot` the float32 loop of a ufunc; the slot of the loop it had. Raises `LookupError` where it has none."""
    ufunc = UFUNCS[name]
    signature = (ctypes.c_int * ufunc.nargs)(*[np.dtype(np.float32).num] * ufunc.nargs)
    old = ctypes.c_void_p()
    if _replace(ufunc, slot, signature, ctypes.byref(old)) != 0 or not old.value:
        raise LookupError(f"NumPy's {name} has no float32 loop to replace.")
    return old.value


def is_right(name: str) -> bool:
    """Whether the float32 loop now in place agrees with NumPy's float64 arithmetic, special values included."""
    with np.errstate(all="ignore"):
        return all(_TESTS[name](name))


def _near(got: Array, want: Array, bound: Array | float) -> bool:
    """Whether no error exceeds the bound; np.allclose would take most of the time of a test."""
    return bool((np.abs(got - want) <= bound).all())


def _same(got: Array, want: Array) -> bool:
    """Equal, NaN included."""
    return bool(((got == want) | ((got != got) & (want != want))).all())


SPECIAL = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-45, -1e-40, 3e38, 88.8, -104, 100, 0.5], np.float32)


def _numbers(*shape: int) -> Array:
    """Float32 values strewn over (-2, 2): multiples of the golden ratio, modulo 4. To import numpy.random takes longer
    than all of the tests."""
    return ((np.arange(1, math.prod(shape) + 1) * 1.618033988749895) % 4 - 2).astype(np.float32).reshape(shape)


@cache
def _samples() -> list[tuple[Array, Array]]:
    """Pairs of float32 arrays whose sizes and strides lead through every branch of the loops."""
    pairs = []
    for n in (0, 1, 3, 4, 7, 8, 9, 37):
        a, b = _numbers(2, n) * np.float32(8)
        pairs += [(a, b), (a[::-1], b), (np.repeat(a, 2)[::2], b)]
    pairs += [(SPECIAL, SPECIAL[::-1].copy()), (a, a[5]), (a[5], a), (_numbers(5, 6), b[:6])]
    return pairs


def _elementwise(name: str) -> Iterator[bool]:
    """Exact: a float64 result of float32 inputs, rounded, is what float32 arithmetic must give."""
    ufunc = UFUNCS[name]
    for pair in _samples():
        inputs = pair[: ufunc.nin]
        want = ufunc(*(x.astype(np.float64) for x in inputs)).astype(np.float32)
        yield _same(ufunc(*inputs), want)
    a, b = (x.copy() for x in next(x for x in _samples() if np.size(x[0]) == 37))
    want = ufunc(*(x.astype(np.float64) for x in (a, b)[: ufunc.nin])).astype(np.float32)
    yield _same(ufunc(*(a, b)[: ufunc.nin], out=a), want)


def _reducing(name: str) -> Iterator[bool]:
    """As elementwise; besides, reductions and running results, which sum in another order."""
    yield from _elementwise(name)
    ufunc = UFUNCS[name]
    for x, _ in _samples():
        x = np.where(np.isfinite(x), np.clip(x, -9, 9), np.float32(1))
        for axis in range(x.ndim):
            if x.shape[axis]:
                wide = x.astype(np.float64)
                yield _near(ufunc.reduce(x, axis), ufunc.reduce(wide, axis), 1e-4)
                yield _near(ufunc.accumulate(x, axis), ufunc.accumulate(wide, axis), 1e-4)


def _exponential(name: str) -> Iterator[bool]:
    """Within 2 units in the last place; exactly 0 and inf where the true value rounds to them."""
    for x, _ in _samples():
        want = np.exp(x.astype(np.float64)).astype(np.float32)
        got = np.exp(x)
        finite = np.isfinite(want)
        yield _same(got[~finite], want[~finite])
        yield _near(got[finite], want[finite], 2 * np.spacing(want[finite]))


def _product(name: str) -> Iterator[bool]:
    """Error at most n eps |A| |B| (Higham 2002, section 3.5), for all layouts of the operands and the result."""
    for m, n, p in ((1, 1, 1), (4, 5, 3), (5, 16, 4), (9, 8, 12), (8, 0, 3), (7, 33, 17)):
        A, B = _numbers(2, m, n), _numbers(2, n, p)
        lefts = (A, np.asfortranarray(A), np.ascontiguousarray(A.swapaxes(1, 2)).swapaxes(1, 2))
        for right in (B, B[:1], np.ascontiguousarray(B.swapaxes(1, 2)).swapaxes(1, 2), B[:, ::-1]):
            want = A.astype(np.float64) @ right.astype(np.float64)
            bound = n * np.finfo(np.float32).eps * (np.abs(A).astype(np.float64) @ np.abs(right)) + 1e-30
            for left in lefts:
                yield _near(left @ right, want, bound)


def _dot(name: str) -> Iterator[bool]:
    for n in (0, 1, 4, 7, 32, 33):
        a, b = _numbers(2, 5, n)
        for x, y in ((a, b), (a[:, ::-1], b), (a, b[0]), (a.T, b.T)):
            want = np.vecdot(x.astype(np.float64), y.astype(np.float64))
            yield _near(np.vecdot(x, y), want, 1e-5)


_TESTS: dict[str, Callable[[str], Iterator[bool]]] = {
    "matmul": _product,
    "vecdot": _dot,
    "add": _reducing,
    "subtract": _elementwise,
    "multiply": _elementwise,
    "divide": _elementwise,
    "maximum": _reducing,
    "negative": _elementwise,
    "sqrt": _elementwise,
    "exp": _exponential,
}
