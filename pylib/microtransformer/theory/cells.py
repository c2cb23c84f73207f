"""The table of shapes, and what one cell of a traced tensor was made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np

from ..catalogue import CATALOGUE, TABLE, axis_sizes
from ..config import ModelConfig
from ..layers import Array
from ..model import MicroTransformer
from .plain import Vector, choice, plain, whole


class Row(TypedDict):
    """One row of the table; every list but `axes` and `shape` has one entry per tensor."""

    ids: list[str]
    symbols: list[str]
    """TeX."""
    expressions: list[str]
    """TeX; empty for what is learned."""
    axes: list[str]
    shape: list[int]
    meanings: list[str]
    names: list[str]
    """Key in `MicroTransformer.trace`, or in `params` for the weights, in layer 0."""
    sources: list[str]
    """Module and function that compute it."""
    lines: list[int]
    """Line in that module's file."""


def shapes_table(cfg: ModelConfig, batch: int = 1, rows: Sequence[Sequence[str]] = TABLE) -> list[Row]:
    """The article's eight rows (or others, given as tensor ids), with shapes for a model and `batch` sequences."""
    sizes = axis_sizes(cfg, whole("batch", batch, 1, 1_000_000))
    table: list[Row] = []
    for ids in rows:
        tensors = [CATALOGUE[choice("A tensor", id, list(CATALOGUE))] for id in ids]
        table.append(
            {
                "ids": [tensor.id for tensor in tensors],
                "symbols": [tensor.symbol for tensor in tensors],
                "expressions": [tensor.expression for tensor in tensors],
                "axes": list(tensors[0].axes),
                "shape": list(tensors[0].shape(sizes)),
                "meanings": [tensor.meaning for tensor in tensors],
                "names": [tensor.name() for tensor in tensors],
                "sources": [tensor.function for tensor in tensors],
                "lines": [tensor.line() for tensor in tensors],
            }
        )
    return table


class Cell(TypedDict):
    """A cell of S, O or Y: `value` = `total` * `factor`, or None where the mask forbids the key."""

    tensor: str
    index: list[int]
    left_name: str
    right_name: str
    """Symbols (TeX) of the tensors that the two vectors are taken from."""
    left: Vector
    right: Vector
    products: Vector
    """left * right, term by term."""
    total: float
    """Sum of the products."""
    factor: float
    """1/sqrt(d_k) for a scaled score, otherwise 1."""
    value: float | None
    """The cell as traced."""


def explain_cell(
    model: MicroTransformer, trace: Mapping[str, Array], tensor: str, index: Sequence[int], layer: int = 0
) -> Cell:
    """The dot product behind one cell of S (b, h, i, j), O (b, h, i, column) or Y (b, i, column).

    b is the sequence, h the head, i the query and j the key, all from 0; `trace` is one of `model`. A named mask is
    assumed, which adds 0 or -inf. Raises `ValueError` for another tensor, or indices outside it.
    """
    choice("tensor", tensor, ("S", "O", "Y"))
    entry = CATALOGUE[tensor]
    at = _place(trace, entry.name(_layer(model, layer)), index)
    t = {name: trace[f"layers.{layer}.{name}"] for name in ("Q", "K", "V", "S", "P", "O_concat", "Y")}
    factor = 1.0
    if tensor == "S":
        b, h, i, j = at
        names, left, right = ("Q", "K"), t["Q"][b, h, i], t["K"][b, h, j]  # (d_k,) each
        factor = model.cfg.d_k**-0.5 if model.cfg.scale_scores else 1.0
    elif tensor == "O":
        b, h, i, column = at
        names, left, right = ("P", "V"), t["P"][b, h, i], t["V"][b, h, :, column]  # (T,) each
    else:
        b, i, column = at
        names, left = ("O_concat", "W_O"), t["O_concat"][b, i]  # (d,)
        right = model.params[f"layers.{layer}.W_O"][:, column]  # (d,)
    products = np.multiply(left, right, dtype=np.float64)
    return {
        "tensor": tensor,
        "index": list(at),
        "left_name": CATALOGUE[names[0]].symbol,
        "right_name": CATALOGUE[names[1]].symbol,
        "left": plain(left),
        "right": plain(right),
        "products": plain(products),
        "total": float(products.sum()),
        "factor": factor,
        "value": plain(trace[entry.name(layer)][at]),
    }


class Weight(TypedDict):
    """A cell of P: `value` = exponentials[j] / `total`."""

    index: list[int]
    scores: list[float | None]
    """Row i of S; None where the mask forbids the key."""
    exponentials: Vector
    """exp(score - largest score of the row); 0 where the mask forbids the key."""
    total: float
    """Sum of the exponentials."""
    value: float
    """The cell as traced."""


def explain_weight(trace: Mapping[str, Array], index: Sequence[int], layer: int = 0) -> Weight:
    """The softmax behind one cell of P (b, h, i, j). Raises `ValueError` for a layer or indices that are not there."""
    name = CATALOGUE["P"].name(layer)
    if name not in trace:
        raise ValueError(f"This trace has no layer {layer!r}; layers count from 0.")
    at = _place(trace, name, index)
    scores = trace[CATALOGUE["S"].name(layer)][at[:-1]].astype(np.float64)  # (T,)
    exponentials = np.exp(scores - scores.max())
    return {
        "index": list(at),
        "scores": plain(scores),
        "exponentials": plain(exponentials),
        "total": float(exponentials.sum()),
        "value": float(trace[name][at]),
    }


def _layer(model: MicroTransformer, layer: int) -> int:
    return whole("layer", layer, 0, model.cfg.n_layers - 1)


def _place(trace: Mapping[str, Array], name: str, index: Sequence[int]) -> tuple[int, ...]:
    shape = trace[name].shape
    if len(index) != len(shape):
        raise ValueError(
            f"{name} has {len(shape)} axes, so a cell has {len(shape)} indices, but {len(index)} are given."
        )
    return tuple(whole(f"Index {axis} of {name}", index[axis], 0, size - 1) for axis, size in enumerate(shape))
