"""What a figure may ask about: each question has a name, takes plain values and is answered with plain values.

A question of `FREE` needs no model. One of `ABOUT_A_RUN` is about the model of one epoch of a run, and its first two
parameters, the run's trainer and that model, are not the figure's to give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import tasks, theory
from .catalogue import CATALOGUE
from .layers import Array
from .model import MicroTransformer, Tokens
from .theory.plain import choice, plain, whole
from .training import Trainer

SAMPLE = 256
"""Held-out sequences over which a model's scores are measured."""


def score_spread_of_run(trainer: Trainer, model: MicroTransformer) -> list[theory.scores.HeadSpread]:
    """`theory.model_score_spread` on held-out sequences, under the run's mask."""
    return theory.model_score_spread(model, trainer.held_out_tokens[:SAMPLE], trainer.train.mask)


def tensors(
    trainer: Trainer, model: MicroTransformer, probe: str, ids: Sequence[str], layer: int = 0
) -> dict[str, Any]:
    """Tensors of one layer for a probe, by their id in the catalogue: nested lists, without the axis of sequences.

    None stands for a score that the mask forbids. Raises `ValueError` for a wrong probe, tensor or layer.
    """
    trace = _trace(trainer, model, probe)
    whole("layer", layer, 0, model.cfg.n_layers - 1)
    found: dict[str, Any] = {}
    for id in ids:
        tensor = CATALOGUE[choice("A tensor", id, list(CATALOGUE))]
        if tensor.kind == "parameter":
            found[id] = plain(model.params[tensor.name(layer)])
        else:
            found[id] = plain(trace[tensor.name(layer)][0])
    return found


def explain_cell(
    trainer: Trainer, model: MicroTransformer, probe: str, tensor: str, index: Sequence[int], layer: int = 0
) -> theory.cells.Cell:
    """`theory.explain_cell` for a probe; `index` is without the axis of sequences."""
    return theory.explain_cell(model, _trace(trainer, model, probe), tensor, [0, *index], layer)


def explain_weight(
    trainer: Trainer, model: MicroTransformer, probe: str, index: Sequence[int], layer: int = 0
) -> theory.cells.Weight:
    """`theory.explain_weight` for a probe; `index` is head, query, key."""
    return theory.explain_weight(_trace(trainer, model, probe), [0, *index], layer)


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


FREE: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        theory.lookup,
        theory.score_spread,
        theory.softmax_jacobian,
        theory.jacobian_norms,
        theory.jacobian_picture,
        theory.masked_softmax,
        theory.layer_flops,
        theory.crossover,
        theory.flop_curve,
        theory.preset_flops,
        theory.flops_picture,
        theory.gradient_by_depth,
        theory.gradient_picture,
    )
}
ABOUT_A_RUN: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (score_spread_of_run, tensors, explain_cell, explain_weight, change_token)
}


def answer(name: str, arguments: Mapping[str, Any]) -> Any:
    """Answer a question that needs no model. Raises `ValueError` for an unknown one or wrong arguments."""
    return FREE[choice("The question", name, list(FREE))](**arguments)


def answer_about(trainer: Trainer, epoch: int, name: str, arguments: Mapping[str, Any]) -> Any:
    """Answer a question about the model of an epoch. Errors as those of `answer`; `IndexError` for a wrong epoch."""
    question = ABOUT_A_RUN[choice("The question", name, list(ABOUT_A_RUN))]
    return question(trainer, trainer.model_at(epoch), **arguments)
