"""Training steps per second: the page's worker beside other ways to take the same steps."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from statistics import median

from tests.bench.report import alternate, note, paired_ratio, spread, table
from tests.bench.steps.browsers import InPyodide, TensorFlowJs, bench_site, chromium, firefox
from tests.bench.steps.case import WATCHED, Case
from tests.bench.steps.contestants import Contestant, Native, deviation, rate, steps_per_block
from tests.bench.steps.torch_steps import FastTorch, PlainTorch

Profile = dict[str, list[float]]
"""NumPy function -> [calls, seconds] per step."""

ROUNDS = 9
PAGE, STOCK, NATIVE = "page", "stock Pyodide", "native NumPy"
TORCH, FAST_TORCH, TENSORFLOW, FIREFOX = "PyTorch, plain", "PyTorch, best", "TensorFlow.js", "page in Firefox"
WHAT = {
    PAGE: "the site's worker in Chromium: Pyodide, own standard library, SIMD loops",
    STOCK: "Pyodide as released, in Chromium: complete standard library, NumPy's own loops",
    NATIVE: "the package in CPython, OpenBLAS on 1 thread",
    TORCH: "eager, 1 thread, each formula as written, `torch.optim.Adam`",
    FAST_TORCH: "eager, 1 thread, merged projections, `rms_norm`, `scaled_dot_product_attention`, fused Adam",
    TENSORFLOW: "WebAssembly backend with SIMD, in a worker in Chromium",
    FIREFOX: "as the page, in Firefox",
}
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
"""Steps in a row that are profiled, and how often: browsers round the clock to 0.1 ms, which only many calls even out."""
BOUND = 1e-3
"""Largest relative deviation of a step's loss from float64's. float32 leaves 1e-6; a wrong formula or batch, far more."""


@contextmanager
def everyone() -> Iterator[dict[str, Contestant]]:
    """All contestants, started; Firefox only where there is one."""
    with ExitStack() as open_:
        site = open_.enter_context(bench_site())
        page = open_.enter_context(chromium(site))
        contestants: dict[str, Contestant] = {
            PAGE: InPyodide(page, site),
            STOCK: InPyodide(page, site, stock=True),
            NATIVE: Native(),
            TORCH: PlainTorch(),
            FAST_TORCH: FastTorch(),
            TENSORFLOW: TensorFlowJs(page, site),
        }
        if program := os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox"):
            contestants[FIREFOX] = InPyodide(open_.enter_context(firefox(site, program)), site)
        else:
            note("  No Firefox was found; it is left out. Install it, or name it in the environment variable FIREFOX.")
        yield contestants


def run() -> str:
    """The report, as Markdown."""
    case = Case()
    with everyone() as contestants:
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
        profiled = _profile(contestants)
    return "\n\n".join([_speeds(rates, off), _ratios(rates), *_calls(*profiled, 1 / median(rates[PAGE]))])


def _speeds(rates: Mapping[str, list[float]], off: Mapping[str, float]) -> str:
    rows = [[f"{name}: {WHAT[name]}", spread(rates[name], 0), f"{off[name]:.0e}"] for name in rates]
    title = f"Training steps per second, batches of 64, median (range) of {ROUNDS} alternating rounds of about half a second:"
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


def _profile(contestants: Mapping[str, Contestant]) -> tuple[Profile, Profile]:
    """NumPy's part in a step, natively and in the page's worker."""
    case = Case(train_sequences=3584)  # an epoch of 56 steps, so that no evaluation comes in between
    native, page = contestants[NATIVE], contestants[PAGE]
    assert isinstance(native, Native) and isinstance(page, InPyodide)
    native.prepare(case)
    page.prepare(case)
    times = [page.profile(PROFILED) for _ in range(PROFILES)]
    mean = {name: [calls, sum(one[name][1] for one in times) / PROFILES] for name, (calls, _) in times[0].items()}
    return native.profile(PROFILED), mean


def _calls(native: Profile, page: Profile, step: float) -> list[str]:
    """`step`: seconds of a step in the page's worker, when nothing is counted."""
    count, inside = (sum(calls for calls, _ in of.values()) for of in (native, page))
    said = f"A training step makes {count:.0f} NumPy calls ({inside:.0f} in the page's worker); the goal is {MOST_CALLS}."
    how = (
        "Counted and timed by a subclass of ndarray to which NumPy hands each call of a ufunc, be it written as a "
        "function, an operator or a reduction, and of its other functions on arrays; see tests/bench/steps/tally.py."
    )
    rows = [
        [f"`{name}`", f"{calls:.0f}", f"{seconds * 1e6:.0f}", f"{seconds / step:.0%}"]
        for name, (calls, seconds) in sorted(page.items(), key=lambda item: -item[1][1])
    ]
    rest = step - sum(seconds for _, seconds in page.values())
    rows.append(["the rest: Python, views, indexing, memory", "", f"{rest * 1e6:.0f}", f"{rest / step:.0%}"])
    rows.append(["a step", f"{inside:.0f}", f"{step * 1e6:.0f}", "100%"])
    return [f"{said} {how}", table(["in the page's worker", "calls per step", "µs per step", "share"], rows)]
