"""Training steps per second: the page's worker beside other ways to take the same steps."""

from __future__ import annotations

import os
from collections.abc import Mapping
from statistics import mean, median

from tests.bench.report import alternate, note, paired_ratio, spread, table
from tests.bench.steps.browsers import InPyodide
from tests.bench.steps.case import WATCHED, Case
from tests.bench.steps.contestants import BLOCK_SECONDS, Contestant, Native, deviation, rate, steps_per_block
from tests.bench.steps.lineup import FAST_TORCH, FIREFOX, NATIVE, PAGE, STOCK, TENSORFLOW, TORCH, WHAT, started

ROUNDS = 9
GOALS = [
    (PAGE, FAST_TORCH, 1.5),
    (PAGE, TORCH, None),
    (PAGE, NATIVE, 0.6),
    (PAGE, STOCK, 4),
    (PAGE, TENSORFLOW, 12),
    (FIREFOX, PAGE, 0.85),
]
"""Of, to, and the least that the ratio should be."""
MOST_CALLS = 150
"""NumPy calls that a training step should make at most."""
PROFILED, PROFILES = 48, 8
"""Steps in a row that are profiled, and how often: the browser's clock steps by 0.1 ms, which many calls even out."""
BOUND = 1e-5
"""Largest relative deviation of a step's loss from float64's: float32 leaves 1e-6, another beta2 of Adam 4e-4."""


def run() -> str:
    """The report, as Markdown."""
    case = Case()
    with started() as contestants:
        off = {}
        for name, contestant in contestants.items():
            contestant.prepare(case)
            off[name] = deviation(name, contestant.losses(WATCHED), case.losses, BOUND)
            note(f"  {name}: losses of {WATCHED} steps within {off[name]:.1e} of float64's")
        steps = steps_per_block(contestants)
        rates = alternate(
            {name: rate(contestant, steps[name]) for name, contestant in contestants.items()},
            ROUNDS,
        )
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        calls = _calls(contestants)
    return "\n\n".join([_speeds(rates, off, load), _ratios(rates), *calls])


def _speeds(rates: Mapping[str, list[float]], off: Mapping[str, float], load: float) -> str:
    rows = [[f"{name}: {WHAT[name]}", spread(rates[name], 0), f"{off[name]:.0e}"] for name in rates]
    title = (
        f"Training steps per second, batches of 64: median (range) of {ROUNDS} alternating rounds of "
        f"{BLOCK_SECONDS:g} s each. One contestant works at a time: of the load average at the end, {load:.1f}, "
        "what exceeds 1.5 or so is other work of the machine."
    )
    why = f"Loss: its largest relative deviation, over the first {WATCHED} steps, from the package's in float64."
    return f"{title}\n\n{table(['', 'steps/s', 'loss'], rows)}\n\n{why}"


def _ratios(rates: Mapping[str, list[float]]) -> str:
    rows = []
    for of, to, goal in GOALS:
        if of in rates and to in rates:
            ratios = paired_ratio(rates[of], rates[to])
            verdict = "" if goal is None else "yes" if median(ratios) >= goal else "no"
            rows.append([f"{of} / {to}", spread(ratios), "" if goal is None else f"≥ {goal}", verdict])
    return f"Ratios, paired by round:\n\n{table(['', 'median (range)', 'goal', 'reached'], rows)}"


def _calls(contestants: Mapping[str, Contestant]) -> list[str]:
    """NumPy's part in a step: how many calls, natively and in the page's worker, and their time in the latter."""
    case = Case(train_sequences=3584)  # an epoch of 56 steps, so that no evaluation comes in between
    native, page = contestants[NATIVE], contestants[PAGE]
    assert isinstance(native, Native) and isinstance(page, InPyodide)
    native.prepare(case)
    page.prepare(case)
    profiles, plain = [], []
    for _ in range(PROFILES):  # alternating, so that other work of the machine weighs on both alike
        profiles.append(page.profile(PROFILED))
        plain.append(page.seconds(PROFILED) / PROFILED)
    step = mean(plain)
    spent = {name: mean(profile[name][1] for profile in profiles) for name in profiles[0]}
    inside = sum(calls for calls, _ in profiles[0].values())
    count = sum(calls for calls, _ in native.profile(PROFILED).values())
    said = (
        f"A training step makes {count:.0f} NumPy calls ({inside:.0f} in the page's worker); the goal is {MOST_CALLS}."
    )
    how = (
        "Counted and timed by a subclass of ndarray to which NumPy hands each call of a ufunc, be it written as a "
        "function, an operator or a reduction, and of its other functions on arrays; see tests/bench/steps/tally.py. "
        "The step's own time is measured in turns with it, uncounted."
    )
    rows = [
        [f"`{name}`", f"{profiles[0][name][0]:.0f}", f"{seconds * 1e6:.0f}", f"{seconds / step:.0%}"]
        for name, seconds in sorted(spent.items(), key=lambda item: -item[1])
    ]
    rest = step - sum(spent.values())
    rows.append(["the rest: Python, views, indexing, memory", "", f"{rest * 1e6:.0f}", f"{rest / step:.0%}"])
    rows.append(["a step", f"{inside:.0f}", f"{step * 1e6:.0f}", "100%"])
    return [f"{said} {how}", table(["in the page's worker", "calls per step", "µs per step", "share"], rows)]
