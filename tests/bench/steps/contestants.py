"""What a contestant is, and the comparison that keeps all of them doing the same work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Protocol

from tests.bench.report import note

from .case import Case
from .pace import Pace
from .tally import profile

WARM = 8
"""Untimed steps before a block, or as many as it has: the others have run meanwhile, the caches hold their data."""
BLOCK_SECONDS = 0.5
"""What a timed block lasts, roughly."""


class Contestant(Protocol):
    """Takes the training steps of a case. `seconds` and `losses` start the run anew each time."""

    def prepare(self, case: Case) -> None:
        """Make the case ready to be run."""

    def losses(self, steps: int) -> list[float]:
        """The loss of each of the first steps, in nats."""

    def seconds(self, steps: int) -> float:
        """Seconds that `steps` steps take after at most `WARM` untimed ones."""


class Native:
    """The package itself, in this process."""

    def prepare(self, case: Case) -> None:
        self._case = case

    def losses(self, steps: int) -> list[float]:
        return Pace(**self._case.settings).losses(steps)

    def seconds(self, steps: int) -> float:
        pace = Pace(**self._case.settings)
        pace.run(min(WARM, steps))
        return pace.run(steps)

    def profile(self, steps: int) -> dict[str, list[float]]:
        """`profile` in tally.py."""
        return profile(lambda: Pace(**self._case.settings), steps)


def deviation(name: str, losses: list[float], wanted: list[float], bound: float) -> float:
    """The largest relative deviation of any step's loss. Stops where one exceeds `bound`."""
    off = [abs(loss - want) / want for loss, want in zip(losses, wanted, strict=True)]
    worst = max(range(len(off)), key=lambda step: off[step] if off[step] == off[step] else float("inf"))
    if not off[worst] <= bound:
        sys.exit(
            f"{name} has a loss of {losses[worst]:.6g} at step {worst + 1}, where float64 has {wanted[worst]:.6g}: "
            f"it does not do the same work, so its speed means nothing. Correct it in tests/bench/steps."
        )
    return off[worst]


def rate(contestant: Contestant, steps: int) -> Callable[[], float]:
    """A measurement: steps per second over a block of `steps`."""
    return lambda: steps / contestant.seconds(steps)


def steps_per_block(contestants: Mapping[str, Contestant]) -> dict[str, int]:
    """How many steps make a block of `BLOCK_SECONDS`, after a warm-up that lets compilers finish."""
    found = {}
    for name, contestant in contestants.items():
        steps, best = 2, 0.0
        for _ in range(4):  # from 100 or so steps on the browser's compiler has replaced its first, slow code
            best = max(best, rate(contestant, steps)())
            steps = max(2, min(10 * steps, round(best * BLOCK_SECONDS)))
        found[name] = max(2, round(best * BLOCK_SECONDS))
        note(f"  {name}: {best:.4g} steps/s while warming up")
    return found
