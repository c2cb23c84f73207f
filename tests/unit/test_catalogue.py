"""The catalogue names every tensor, with the shape it has and the line that computes it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import microtransformer
from microtransformer import MicroTransformer, ModelConfig, masks
from microtransformer.catalogue import CATALOGUE, TABLE, axis_sizes

# Every axis has a length of its own, so that two of them cannot be confused.
CFG = ModelConfig(vocab_size=5, seq_len=3, d_model=14, n_heads=2, n_layers=2, d_ff=11)
BATCH = 4
SIZES = axis_sizes(CFG, BATCH)


def test_every_axis_has_a_length_of_its_own() -> None:
    assert SIZES == {"B": 4, "T": 3, "d": 14, "H": 2, "d_k": 7, "f": 11, "V": 5}


@pytest.mark.parametrize("norm", ["pre", "post", "none"])
def test_the_catalogue_names_every_tensor_of_a_trace_with_its_shape(norm: str) -> None:
    cfg = replace(CFG, norm=norm)
    tokens = np.zeros((BATCH, cfg.seq_len), int)
    trace = MicroTransformer(cfg).trace(tokens, masks.additive("causal", cfg.seq_len))
    named = {
        tensor.name(layer): tensor.shape(SIZES)
        for tensor in CATALOGUE.values()
        if tensor.kind == "activation"
        for layer in range(cfg.n_layers)
    }
    assert named == {name: array.shape for name, array in trace.items()}


def test_the_catalogue_names_every_parameter_with_its_shape() -> None:
    named = {
        tensor.name(layer): tensor.shape(SIZES)
        for tensor in CATALOGUE.values()
        if tensor.kind == "parameter"
        for layer in range(CFG.n_layers)
    }
    assert named == {name: array.shape for name, array in MicroTransformer(CFG).params.items()}


def test_the_table_has_the_eight_rows_of_the_article() -> None:
    assert len(TABLE) == 8
    for row in TABLE:
        assert len({CATALOGUE[id].axes for id in row}) == 1, row  # one shape per row
    order = list(CATALOGUE)
    ids = [id for row in TABLE for id in row]
    assert ids == sorted(ids, key=order.index)


@pytest.mark.parametrize("id", CATALOGUE)
def test_an_entry_names_a_line_that_exists(id: str) -> None:
    tensor = CATALOGUE[id]
    module, _, function = tensor.function.partition(".")
    lines = (Path(microtransformer.__file__).parent / f"{module}.py").read_text(encoding="utf-8").splitlines()
    found = tensor.line()
    assert tensor.code in lines[found - 1]
    # The nearest definition above the line is the function that the entry names.
    above = [line.split("(")[0].split()[-1] for line in lines[:found] if line.lstrip().startswith("def ")]
    assert above[-1] == function.rpartition(".")[2]
    assert tensor.symbol and tensor.meaning and (tensor.expression or tensor.kind == "parameter")


def test_a_line_that_has_changed_is_reported() -> None:
    stale = replace(CATALOGUE["P"], code="P = softmin(S)")
    with pytest.raises(LookupError, match=r"^The line 'P = softmin\(S\)', which computes P, must stand once in layers"):
        stale.line()
