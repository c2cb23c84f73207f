"""The numbers in the pages' text: taken from the recorded runs, the measured ones and the package; none is typed."""

from __future__ import annotations

import html
import json
from math import sqrt
from pathlib import Path
from typing import Any

Recording = dict[str, Any]


def facts(recordings: Path, measured: Path, wheel: str) -> dict[str, Any]:
    """What placeholders may name.

    `recorded`: "task-mask" -> the run that the trainer shows first, without its answers.
    `runs` and `seeds`: what measure.py found over several seeds. `theory`: `theory.numbers()`. `table`: the recorded
    runs as rows of HTML.
    """
    runs: list[Recording] = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(recordings.glob("*.json"))]
    recorded = {f"{run['train']['task']}-{run['train']['mask']}": _without_answers(run) for run in runs}
    found = json.loads(measured.read_text(encoding="utf-8"))
    model = runs[0]["model"]
    return {
        "wheel": html.escape(wheel),
        "recorded": recorded,
        "guess_accuracy": 1 / model["vocab_size"],
        "sequences": model["vocab_size"] ** model["seq_len"],
        "table": _table(runs),
        "last_seed": found["seeds"] - 1,
        **found,
    }


def _without_answers(run: Recording) -> Recording:
    d_k = run["model"]["d_model"] // run["model"]["n_heads"]
    return {name: value for name, value in run.items() if name != "probes"} | {
        "d_k": d_k,
        "sqrt_d_k": sqrt(d_k),
    }


def _table(runs: list[Recording]) -> str:
    """The runs as rows: task, mask, and scores beside their limits."""
    head = "<tr><th>Task</th><th>Mask</th><th>Accuracy</th><th>Limit</th><th>CE (nats)</th><th>Limit</th></tr>"
    rows = []
    for run in runs:
        last, limit = run["history"][-1], run["limit"]
        cells = [
            run["train"]["task"],
            run["train"]["mask"],
            f"{last['accuracy']:.2%}",
            f"{limit['accuracy']:.2%}",
            f"{last['ce']:.3f}",
            f"{limit['ce']:.3f}",
        ]
        rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    return f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody>"
