"""Take the training steps of one run and time them. The same file runs natively and, in the browser, in Pyodide."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from microtransformer import ModelConfig, TrainConfig, Trainer


class Pace:
    """A run from its first step on, as the page takes it: `Trainer.epoch_work`. Evaluation is not timed.

    `model` and `train` hold fields of `ModelConfig` and `TrainConfig`.
    """

    def __init__(self, model: dict[str, Any], train: dict[str, Any], dtype: str = "float32") -> None:
        self.trainer = Trainer(ModelConfig(**model), TrainConfig(**train), dtype)
        for _ in self.trainer.untrained_work():  # so that every epoch begins with its steps
            pass
        self._epoch: Iterator[None] = iter(())
        self._left = 0  # steps of the epoch in progress

    def advance(self, budget_ms: float, most: int) -> tuple[int, float]:
        """Train for about `budget_ms`, at most `most` steps and at most to the end of an epoch.

        Returns the steps taken and the seconds they took. At least one step is taken.
        """
        if not self._left:
            for _ in self._epoch:  # what follows the last step of an epoch: evaluation and snapshot
                pass
            self._epoch, self._left = self.trainer.epoch_work(), self.trainer.steps_per_epoch
        before = self.trainer.optimiser.t
        most = min(most, self._left)
        taken = 0
        started = now = perf_counter()
        while taken < most and (now - started) * 1000 <= budget_ms:
            next(self._epoch)
            taken += 1
            now = perf_counter()
        if self.trainer.optimiser.t - before != taken:
            raise RuntimeError(
                "Trainer.epoch_work no longer pauses after each step; tests/bench/steps/pace.py must follow."
            )
        self._left -= taken
        return taken, now - started

    def run(self, steps: int) -> float:
        """Seconds that `steps` steps take."""
        seconds = 0.0
        while steps:
            taken, more = self.advance(float("inf"), steps)
            steps, seconds = steps - taken, seconds + more
        return seconds

    def watch(self, steps: int) -> list[tuple[Any, Any, float]]:
        """Take `steps` steps; tokens (B, T), targets (B, T) and loss (nats) of each."""
        model = self.trainer.model
        seen: list[tuple[Any, Any, float]] = []

        def watched(tokens: Any, targets: Any, *others: Any, **named: Any) -> Any:
            result = original(tokens, targets, *others, **named)
            seen.append((tokens.copy(), targets.copy(), float(result[0])))
            return result

        original, model.loss_and_gradient = model.loss_and_gradient, watched  # type: ignore[method-assign]
        try:
            self.run(steps)
        finally:
            model.loss_and_gradient = original  # type: ignore[method-assign]
        if len(seen) != steps:
            raise RuntimeError(
                "A training step no longer calls model.loss_and_gradient once; tests/bench/steps/pace.py must follow."
            )
        return seen

    def losses(self, steps: int) -> list[float]:
        """The loss of each of the next `steps` steps, in nats."""
        return [loss for _, _, loss in self.watch(steps)]
