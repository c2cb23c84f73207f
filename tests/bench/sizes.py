"""Training steps per second for other batches, widths and lengths."""

from __future__ import annotations

from statistics import median

from tests.bench.report import alternate, note, paired_ratio, table
from tests.bench.steps.case import Case
from tests.bench.steps.contestants import deviation, rate, steps_per_block
from tests.bench.steps.lineup import FAST_TORCH, NATIVE, PAGE, STOCK, started

ROUNDS = 3
WATCHED = 4
"""Steps whose losses are compared."""
BOUND = 1e-5
"""Largest relative deviation of a loss from float64's in these steps."""


def _wide(d: int) -> Case:
    return Case(watched=WATCHED, d_model=d, d_ff=2 * d)


CASES = {
    "as on the page: B = 64, d = 32, T = 4": Case(watched=WATCHED),
    **{f"B = {size}": Case(size, watched=WATCHED) for size in (16, 256, 512)},
    **{f"d = {d}, f = {2 * d}": _wide(d) for d in (16, 64, 128)},
    **{f"T = {length}": Case(watched=WATCHED, seq_len=length) for length in (6, 8)},
}


def run() -> str:
    """The report, as Markdown."""
    names = (PAGE, STOCK, NATIVE, FAST_TORCH)
    rivals = names[1:]
    rows = []
    with started(names) as contestants:
        for title, case in CASES.items():
            note(f"  {title}")
            for name, contestant in contestants.items():
                contestant.prepare(case)
                deviation(name, contestant.losses(WATCHED), case.losses, BOUND)
            steps = steps_per_block(contestants)
            rates = alternate({name: rate(contestants[name], steps[name]) for name in names}, ROUNDS)
            ratios = [median(paired_ratio(rates[PAGE], rates[rival])) for rival in rivals]
            rows.append([title, *(f"{median(rates[name]):.0f}" for name in names), *(f"{r:.2f}" for r in ratios)])
    header = ["", *names, *(f"page / {rival}" for rival in rivals)]
    said = (
        f"Training steps per second, medians of {ROUNDS} alternating rounds; ratios are medians of those of each round."
    )
    return f"{said} What a row does not name is as on the page.\n\n{table(header, rows)}"
