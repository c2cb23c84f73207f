"""The trainer's knobs: their labels, their names in links, and the native run of any settings."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from typing import Any

from microtransformer import ModelConfig, TrainConfig, Trainer
from web.build.project import WEB

Settings = dict[str, Any]

MODEL = {field.name for field in fields(ModelConfig)}

EXPERIMENTS: dict[str, dict[str, Settings | None]] = json.loads(
    (WEB / "src" / "trainer" / "experiments.json").read_text(encoding="utf-8")
)

LABELS = {
    "n_layers": "Layers",
    "n_heads": "Heads",
    "d_model": "Width d",
    "norm": "Norm",
    "scale_scores": "Scale scores",
    "positions": "Positions",
    "learning_rate": "Learning rate",
    "batch_size": "Batch",
}
LINKS = {
    "n_layers": "layers",
    "n_heads": "heads",
    "d_model": "d",
    "norm": "norm",
    "scale_scores": "scale",
    "positions": "positions",
    "learning_rate": "lr",
    "batch_size": "batch",
}


def configs(settings: Settings) -> tuple[ModelConfig, TrainConfig]:
    """What the page trains for these settings; the rest takes its default, and the feedforward's width follows d."""
    model = {name: value for name, value in settings.items() if name in MODEL}
    train = {name: value for name, value in settings.items() if name not in MODEL}
    return ModelConfig(**model, d_ff=2 * model.get("d_model", ModelConfig().d_model)), TrainConfig(**train)


def native_losses(settings: Settings, epochs: int) -> list[float]:
    """Held-out loss of every epoch, in nats."""
    return _losses(tuple(sorted(settings.items())), epochs)


@cache
def _losses(settings: tuple[tuple[str, Any], ...], epochs: int) -> list[float]:
    trainer = Trainer(*configs(dict(settings)))
    return [trainer.history[0].ce, *(trainer.run_epoch().ce for _ in range(epochs))]


def text(value: Any) -> str:
    """A value as links and controls write it."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
