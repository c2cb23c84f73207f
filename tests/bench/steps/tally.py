"""How many NumPy calls a training step makes, and how long each takes. Runs natively and in Pyodide, like pace.py.

Every array that the run holds or makes is of a subclass of ndarray. NumPy hands each call of a ufunc with such an array
to the subclass (`__array_ufunc__`), whether it was written as a function, an operator or a reduction, and likewise
most of its other functions (`__array_function__`); there the call is counted, timed and carried out on ordinary arrays.
Views, indexing and methods such as `copy` are not calls in this sense; their time is part of the rest of the step.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

_calls: dict[str, list[float]] = {}
"""Name -> number of calls, seconds."""


class Tallied(np.ndarray[Any, Any]):
    """An array whose ufunc calls are counted."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        return _carry_out(name, getattr(ufunc, method), inputs, options)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return _carry_out(func.__name__, func, args, kwargs)


def _carry_out(name: str, call: Any, inputs: Any, options: dict[str, Any]) -> Any:
    inputs, options = _plain(inputs), {key: _plain(value) for key, value in options.items()}
    started = perf_counter()
    result = call(*inputs, **options)
    seconds = perf_counter() - started
    entry = _calls.setdefault(name, [0, 0.0])
    entry[0] += 1
    entry[1] += seconds
    return _tallied(result)


def _plain(value: Any) -> Any:
    """Without the subclass, inside lists and tuples too."""
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(item) for item in value)
    return value.view(np.ndarray) if isinstance(value, Tallied) else value


def _tallied(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_tallied(item) for item in value)
    return value.view(Tallied) if isinstance(value, np.ndarray) else value


MAKERS = ("array", "asarray", "ascontiguousarray", "arange", "empty", "eye", "full", "ones", "zeros")
"""NumPy's functions that make arrays from other things than arrays. While a run is tallied, they make tallied ones."""


def _maker(make: Any) -> Any:
    return lambda *args, **options: _tallied(make(*(_plain(arg) for arg in args), **options))


def profile(start: Any, steps: int) -> dict[str, list[float]]:
    """Per step, averaged over `steps` steps: NumPy function -> [calls, seconds].

    `start()` begins a run, a `Pace` whose first epoch has more than `steps` steps: an evaluation would count too.
    """
    originals = {name: getattr(np, name) for name in MAKERS}
    for name, make in originals.items():
        setattr(np, name, _maker(make))
    try:
        pace = start()
        for name in ("train_tokens", "train_targets", "mask"):
            setattr(pace.trainer, name, getattr(pace.trainer, name).view(Tallied))
        pace.run(1)  # what is made once, in the first step, is no part of a step
        _calls.clear()
        pace.run(steps)
    finally:
        for name, make in originals.items():
            setattr(np, name, make)
    clock = _cost_of_the_clock()
    return {name: [calls / steps, (seconds - calls * clock) / steps] for name, (calls, seconds) in _calls.items()}


def _cost_of_the_clock() -> float:
    """Seconds that two readings of the clock lie apart when nothing happens between them."""
    readings = 20_000
    started = perf_counter()
    for _ in range(readings):
        perf_counter()
    return (perf_counter() - started) / readings
