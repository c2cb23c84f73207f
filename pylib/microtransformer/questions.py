"""What a figure may ask about: each question has a name, takes plain values and is answered with plain values.

A question of `FREE` needs no model. One of `ABOUT_A_RUN` is about the model of one epoch of a run, and its first two
parameters, the run's trainer and that model, are not the figure's to give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypedDict

from . import masks, tasks, theory
from .catalogue import CATALOGUE, axis_sizes
from .layers import Array
from .model import MicroTransformer, Tokens
from .theory.plain import choice, plain, whole
from .training import Trainer

SAMPLE = 256
"""Held-out sequences over which a model's scores are measured."""


def score_spread_of_run(trainer: Trainer, model: MicroTransformer) -> list[theory.scores.HeadSpread]:
    """`theory.model_score_spread` on held-out sequences, under the run's mask."""
    return theory.model_score_spread(model, trainer.held_out_tokens[:SAMPLE], trainer.train.mask)


def settings_of_run(trainer: Trainer, model: MicroTransformer) -> dict[str, dict[str, Any]]:
    """What the run trains: the fields of its `ModelConfig`, `model`, and of its `TrainConfig`, `train`."""
    return {"model": asdict(model.cfg), "train": asdict(trainer.train)}


def shapes_of_run(trainer: Trainer, model: MicroTransformer) -> list[theory.cells.Row]:
    """`theory.shapes_table` for the run's model and one sequence."""
    return theory.shapes_table(model.cfg)


class Opened(TypedDict):
    """Tensors of one layer for a probe, and what is needed to draw them."""

    sizes: dict[str, int]
    """Axis -> its length, for one sequence."""
    layers: int
    allowed: list[list[bool]]
    """(T, T): whether a query, first axis, may look at a key."""
    tensors: dict[str, Any]
    """By their id in the catalogue: nested lists without the axis of sequences; None for what the mask forbids."""
    made: theory.cells.Cell | theory.cells.Weight | None
    """How one cell was made; None where no cell is asked about."""


def opened(
    trainer: Trainer,
    model: MicroTransformer,
    probe: str,
    ids: Sequence[str],
    layer: int = 0,
    index: Sequence[int] | None = None,
) -> Opened:
    """Everything that a row of the table of shapes shows when it is opened; `ids` may be empty.

    `index` is a cell of the one tensor in `ids`, which is S, P or O (head, query, key or column) or Y (query, column).
    Raises `ValueError` for a wrong probe, tensor, layer or cell.
    """
    trace = _trace(trainer, model, probe)
    made: theory.cells.Cell | theory.cells.Weight | None = None
    if index is not None:
        if len(ids) != 1:
            raise ValueError(f"A cell belongs to one tensor, but {len(ids)} are asked for.")
        at = [0, *index]
        made = (
            theory.explain_weight(trace, at, layer)
            if ids[0] == "P"
            else theory.explain_cell(model, trace, ids[0], at, layer)
        )
    return {
        "sizes": axis_sizes(model.cfg, batch=1),
        "layers": model.cfg.n_layers,
        "allowed": masks.allowed(trainer.train.mask, model.cfg.seq_len).tolist(),
        "tensors": _found(model, trace, ids, layer),
        "made": made,
    }


def change_token(
    trainer: Trainer, model: MicroTransformer, probe: str, position: int, mask: str | None = None
) -> theory.masking.Change:
    """`theory.change_token` for a probe: the same weights under either mask, the run's by default."""
    mask = trainer.train.mask if mask is None else mask
    return theory.change_token(model, _tokens(trainer, probe)[0], mask, position)


def _tokens(trainer: Trainer, probe: str) -> Tokens:
    """The probe's token ids, (1, T)."""
    return tasks.encode(probe, trainer.cfg.vocab_size, trainer.cfg.seq_len)


def _trace(trainer: Trainer, model: MicroTransformer, probe: str) -> Mapping[str, Array]:
    return model.trace(_tokens(trainer, probe), trainer.mask)


def _found(model: MicroTransformer, trace: Mapping[str, Array], ids: Sequence[str], layer: int) -> dict[str, Any]:
    whole("layer", layer, 0, model.cfg.n_layers - 1)
    found: dict[str, Any] = {}
    for id in ids:
        tensor = CATALOGUE[choice("A tensor", id, list(CATALOGUE))]
        if tensor.kind == "parameter":
            found[id] = plain(model.params[tensor.name(layer)])
        else:
            found[id] = plain(trace[tensor.name(layer)][0])
    return found


FREE: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        theory.lookup,
        theory.score_spread,
        theory.jacobian_picture,
        theory.masked_softmax,
        theory.flops_picture,
        theory.gradient_picture,
    )
}
ABOUT_A_RUN: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        score_spread_of_run,
        change_token,
        settings_of_run,
        shapes_of_run,
        opened,
    )
}


def answer(name: str, arguments: Mapping[str, Any]) -> Any:
    """Answer a question that needs no model. Raises `ValueError` for an unknown one or wrong arguments."""
    return FREE[choice("The question", name, list(FREE))](**arguments)


def answer_about(trainer: Trainer, epoch: int, name: str, arguments: Mapping[str, Any]) -> Any:
    """Answer a question about the model of an epoch. Errors as those of `answer`; `IndexError` for a wrong epoch."""
    question = ABOUT_A_RUN[choice("The question", name, list(ABOUT_A_RUN))]
    return question(trainer, trainer.model_at(epoch), **arguments)
