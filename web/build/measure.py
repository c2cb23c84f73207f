"""Run what the article's empirical sentences speak of, over several seeds, and compute the theory's numbers.

python web/build/measure.py OUT     writes JSON: {seeds, runs: {name: {measure: {mean, min, max, each}}}, theory}

A number in the text comes from here, or from a recorded run; facts.py puts it there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from microtransformer import ModelConfig, TrainConfig, Trainer, theory
from microtransformer.config import from_mapping
from microtransformer.playground import MODEL_SETTINGS
from microtransformer.questions import SAMPLE
from web.build.project import WEB

SEEDS = 5
"""Seeds 0 to 4."""

HELD_OUT = 1024
"""Sequences on which each is judged, of the 3,584 that it is not trained on: enough for the text's two digits, and
most of the time of a run."""

SOLVED = 0.99
"""Share of right tokens at which a run counts as having learned its task."""

Settings = dict[str, str | int | float | bool]

EXPERIMENTS: dict[str, dict[str, Settings | None]] = json.loads(
    (WEB / "src" / "trainer" / "experiments.json").read_text(encoding="utf-8")
)

RUNS: dict[str, Settings] = {
    "reverse": {},
    "reverse-causal": {"mask": "causal"},
    "copy": {"task": "copy"},
    "sort": {"task": "sort"},
    **{f"{id}-experiment": settings for id, each in EXPERIMENTS.items() if (settings := each["settings"]) is not None},
    **{f"{id}-compared": settings for id, each in EXPERIMENTS.items() if (settings := each["compare"]) is not None},
}
"""Name -> what differs from the defaults, as the page's trainer sets it."""

WITHOUT_ATTENTION: dict[str, Settings] = {"copy-no-attention": {"task": "copy"}, "reverse-no-attention": {}}
"""W_O is held at 0, so that attention adds nothing to the stream: each position has only its own token."""


def train(settings: Mapping[str, Any], seed: int, attention: bool = True) -> Trainer:
    """A whole run. `settings` holds fields of `ModelConfig` and `TrainConfig`."""
    model = {name: value for name, value in settings.items() if name in MODEL_SETTINGS}
    if "d_model" in model:
        model["d_ff"] = 2 * model["d_model"]  # as the page has it
    rest = {name: value for name, value in settings.items() if name not in MODEL_SETTINGS}
    trainer = Trainer(
        from_mapping(ModelConfig, model),
        from_mapping(TrainConfig, {"held_out_sequences": HELD_OUT} | rest | {"seed": seed}),
    )
    outputs = [] if attention else [W for name, W in trainer.model.params.items() if name.endswith("W_O")]
    for W in outputs:
        W[...] = 0
    for _ in range(trainer.train.epochs):
        for _ in trainer.epoch_work():
            for W in outputs:
                W[...] = 0
    return trainer


def measures(trainer: Trainer) -> dict[str, float | None]:
    """What the article may quote of a run; None for an event that did not come about."""
    history = trainer.history
    last, best = history[-1], min(history, key=lambda record: record.ce)
    solved = next((record.epoch for record in history if record.accuracy >= SOLVED), None)
    cfg, sample = trainer.cfg, trainer.held_out_tokens[:SAMPLE]
    first, trace = (
        trainer.model_at(epoch).trace(trainer.held_out_tokens, trainer.mask) for epoch in (0, trainer.epoch)
    )
    P = np.stack([trace[f"layers.{layer}.P"] for layer in range(cfg.n_layers)]).mean(axis=1)  # (L, H, T, T)
    untrained, trained = (
        [head["std"] for head in theory.model_score_spread(trainer.model_at(epoch), sample, trainer.train.mask)]
        for epoch in (0, trainer.epoch)
    )
    return {
        "ce": last.ce,
        "accuracy": last.accuracy,
        "train_ce": last.train_ce,
        "best_ce": best.ce,
        "best_epoch": best.epoch,
        "solved_at": solved,
        "largest_weight_untrained": float(first["layers.0.P"].max(axis=-1).mean()),
        "antidiagonal": float(np.trace(P[0, :, :, ::-1], axis1=1, axis2=2).max() / cfg.seq_len),
        "diagonal": float(np.trace(P, axis1=2, axis2=3).max() / cfg.seq_len),
        "score_std_untrained": sum(untrained) / len(untrained),
        "score_std_min": min(trained),
        "score_std_max": max(trained),
    }


def measured(run: tuple[Settings, int, bool]) -> dict[str, float | None]:
    """`measures` of one run."""
    return measures(train(*run))


def summary(values: list[float | None]) -> dict[str, Any]:
    """One measure over all seeds; `known` counts those that have it, and mean, least and greatest are of them."""
    known = [value for value in values if value is not None]
    over = {"mean": sum(known) / len(known), "min": min(known), "max": max(known)} if known else {}
    return {"each": values, "known": len(known), **over}


def main() -> None:
    """Train all, on every core, and write the summaries. Runs of the same settings are trained once."""
    names = RUNS | WITHOUT_ATTENTION
    wanted = {name: (json.dumps(settings, sort_keys=True), name in RUNS) for name, settings in names.items()}
    jobs = [
        ((settings, attention), (json.loads(settings), seed, attention))
        for settings, attention in dict.fromkeys(wanted.values())
        for seed in range(SEEDS)
    ]
    found: dict[tuple[str, bool], list[dict[str, float | None]]] = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for (key, _), one in zip(jobs, pool.map(measured, [job for _, job in jobs]), strict=True):
            found.setdefault(key, []).append(one)
    runs = {
        name: {measure: summary([one[measure] for one in found[key]]) for measure in found[key][0]}
        for name, key in wanted.items()
    }
    result = {"seeds": SEEDS, "held_out": HELD_OUT, "runs": runs, "theory": theory.numbers()}
    Path(sys.argv[1]).write_text(json.dumps(result, separators=(",", ":"), allow_nan=False), encoding="utf-8")


if __name__ == "__main__":
    main()
