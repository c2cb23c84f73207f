"""Sizes of real models, for the figure of operations."""

from __future__ import annotations

from typing import TypedDict

from .flops import LayerFlops, crossover, layer_flops
from .plain import choice


class Preset(TypedDict):
    """The shape of a published model."""

    name: str
    d: int
    n_layers: int
    n_heads: int
    n_kv_heads: int
    """Fewer than n_heads where groups of queries share keys and values."""
    d_ff: int
    gated: bool
    """SwiGLU: three matrices of width d_ff instead of two."""
    context: int
    """Tokens of a training sequence."""
    source: str


def _preset(
    name: str, d: int, layers: int, heads: int, kv: int, d_ff: int, gated: bool, context: int, source: str
) -> Preset:
    return {
        "name": name,
        "d": d,
        "n_layers": layers,
        "n_heads": heads,
        "n_kv_heads": kv,
        "d_ff": d_ff,
        "gated": gated,
        "context": context,
        "source": source,
    }


_GPT2 = "Radford et al. 2019, table 2 and section 2.3; heads and d_ff from the released model"
_GPT3 = "Brown et al. 2020, table 2.1 and section 2.1, with every layer counted as dense"
_LLAMA2 = "Touvron et al. 2023 (Llama 2), table 1; Touvron et al. 2023 (LLaMA), table 2; d_ff from the released weights"
_LLAMA3 = "Grattafiori et al. 2024, table 3; context of the release of April 2024"

PRESETS: dict[str, Preset] = {
    "gpt2": _preset("GPT-2 small", 768, 12, 12, 12, 3072, False, 1024, _GPT2),
    "gpt2-xl": _preset("GPT-2 XL", 1600, 48, 25, 25, 6400, False, 1024, _GPT2),
    "gpt3": _preset("GPT-3 175B", 12288, 96, 96, 96, 49152, False, 2048, _GPT3),
    "llama2-7b": _preset("Llama 2 7B", 4096, 32, 32, 32, 11008, True, 4096, _LLAMA2),
    "llama3-8b": _preset("Llama 3 8B", 4096, 32, 32, 8, 14336, True, 8192, _LLAMA3),
}


class PresetFlops(TypedDict):
    """A preset at a number of tokens."""

    preset: Preset
    T: int
    layer: LayerFlops
    all_layers: float
    """Operations of all layers together, without the unembedding."""
    crossover: float
    """Tokens beyond which the quadratic part of attention exceeds the linear layers."""


def preset_flops(key: str, T: int | None = None, causal_half: bool = False) -> PresetFlops:
    """Operations of a model of `PRESETS` for one sequence of T tokens, by default as many as it was trained with.

    Raises `ValueError` for an unknown key or a wrong T.
    """
    preset = PRESETS[choice("The preset", key, list(PRESETS))]
    length = preset["context"] if T is None else T
    d, d_ff, gated = preset["d"], preset["d_ff"], preset["gated"]
    d_kv = d // preset["n_heads"] * preset["n_kv_heads"]
    layer = layer_flops(length, d, d_ff, gated, d_kv, causal_half)
    return {
        "preset": preset,
        "T": length,
        "layer": layer,
        "all_layers": layer["total"] * preset["n_layers"],
        "crossover": crossover(d, d_ff, gated, d_kv, causal_half),
    }
