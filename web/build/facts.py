"""The numbers in the page's text: taken from the recorded runs and the package, so that none is typed."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

Recording = dict[str, Any]


def facts(recordings: Path, wheel: str) -> dict[str, str]:
    """Placeholder -> text for the templates; `recordings` is the folder that record.py has filled."""
    runs: list[Recording] = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(recordings.glob("*.json"))]
    named = {(run["train"]["task"], run["train"]["mask"]): run for run in runs}
    reverse, causal = named["reverse", "bidirectional"], named["reverse", "causal"]
    model, train, history = reverse["model"], reverse["train"], causal["history"]
    best = min(history, key=lambda record: record["ce"])
    sequences = model["vocab_size"] ** model["seq_len"]
    texts = {
        "layers": _word(model["n_layers"]),
        "heads": _word(model["n_heads"]),
        "parameters": f"{reverse['parameters']:,}",
        "epochs": str(train["epochs"]),
        "vocab": str(model["vocab_size"]),
        "guess": f"{reverse['guess_ce']:.3f}",
        "sequences": f"{sequences:,}",
        "train": str(reverse["train_sequences"]),
        "reverse.antidiagonal": f"{_antidiagonal(reverse):.0%}",
        "reverse.causal.limit": f"{causal['limit']['ce']:.3f}",
        "reverse.causal.accuracy": f"{causal['limit']['accuracy']:.2%}",
        "reverse.causal.best": f"{best['ce']:.3f}",
        "reverse.causal.bestEpoch": str(best["epoch"]),
        "reverse.causal.last": f"{history[-1]['ce']:.3f}",
        "wheel": wheel,
    }
    return {name: html.escape(text) for name, text in texts.items()} | {"runs": _table(runs)}


def _antidiagonal(run: Recording) -> float:
    """Largest share of a first-layer head's attention on the anti-diagonal, at the last epoch, for the first probe."""
    T: int = run["model"]["seq_len"]
    H: int = run["model"]["n_heads"]
    attention: list[float] = next(iter(run["probes"].values()))[-1]["attention"]
    return max(sum(attention[(h * T + i) * T + T - 1 - i] for i in range(T)) / T for h in range(H))


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


def _word(n: int) -> str:
    return ["no", "one", "two", "three", "four"][n]
