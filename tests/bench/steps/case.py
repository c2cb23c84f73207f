"""One training run: its settings, initial weights and batches, for contestants that do not have the package."""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from typing import Any

from microtransformer import MicroTransformer, ModelConfig, TrainConfig
from microtransformer.parameters import layout

from .pace import Pace

STEPS_PER_EPOCH = 8
"""As on the page: 512 training sequences in batches of 64."""
WATCHED = 64
"""Steps whose losses are compared."""


class Case:
    """The default run with other batches; `model` holds other fields of `ModelConfig`.

    `watched` steps have their batches handed out and their losses known; longer blocks use the batches again.
    """

    def __init__(
        self, batch_size: int = 64, train_sequences: int | None = None, watched: int = WATCHED, **model: Any
    ) -> None:
        self.watched = watched
        self.cfg = ModelConfig(**model)
        self.train = TrainConfig(
            batch_size=batch_size,
            train_sequences=train_sequences or STEPS_PER_EPOCH * batch_size,
            held_out_sequences=1,  # evaluation is not timed; this keeps it from taking minutes all the same
        )

    @property
    def settings(self) -> dict[str, Any]:
        """Keyword arguments of `Pace`, as plain values."""
        return {"model": asdict(self.cfg), "train": asdict(self.train)}

    @cached_property
    def theta(self) -> Any:
        """Initial weights, one float32 vector (P,) in the order of `layout`."""
        return MicroTransformer(self.cfg, self.train.seed).theta

    @cached_property
    def _watched(self) -> list[tuple[Any, Any, float]]:
        return Pace(**self.settings, dtype="float64").watch(self.watched)

    @property
    def batches(self) -> list[tuple[Any, Any]]:
        """Tokens (B, T) and targets (B, T) of the first steps, int64."""
        return [(tokens, targets) for tokens, targets, _ in self._watched]

    @property
    def losses(self) -> list[float]:
        """Losses of the first steps in float64, nats: what everyone must reproduce to float32's precision."""
        return [loss for _, _, loss in self._watched]

    def exported(self) -> dict[str, Any]:
        """All of it as plain values, for JSON."""
        return {
            **self.settings,
            "layout": [[name, list(shape)] for name, shape in layout(self.cfg)],
            "theta": self.theta.tolist(),
            "tokens": [tokens.ravel().tolist() for tokens, _ in self.batches],
            "targets": [targets.ravel().tolist() for _, targets in self.batches],
        }
