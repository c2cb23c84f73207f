"""What all benchmarks share: alternating rounds, medians and ratios, Markdown, and the machine they ran on."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from statistics import median

__all__ = ["alternate", "machine", "median", "note", "paired_ratio", "spread", "table"]


def note(text: str) -> None:
    """Progress, beside the result: to standard error, so that standard output is the report alone."""
    print(text, file=sys.stderr, flush=True)


def alternate(contestants: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Every contestant's measurement of every round. Each round runs all of them, every second one backwards.

    Whatever else the machine does meanwhile then weighs on all alike.
    """
    measured: dict[str, list[float]] = {name: [] for name in contestants}
    for index in range(rounds):
        names = list(contestants) if index % 2 == 0 else list(contestants)[::-1]
        for name in names:
            measured[name].append(contestants[name]())
            note(f"  round {index + 1} of {rounds}: {name} {measured[name][-1]:.4g}")
    return measured


def paired_ratio(of: Sequence[float], to: Sequence[float]) -> list[float]:
    """of / to, round by round."""
    return [a / b for a, b in zip(of, to, strict=True)]


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Median and range, such as "1.42 (1.35–1.51)"."""
    return f"{median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; every column but the first is aligned to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def machine() -> str:
    """One line: date, processor, cores, system, Python."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            name = next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{date.today()}: {name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
