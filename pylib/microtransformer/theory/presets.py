"""Sizes of real models, for the figure of operations."""

from __future__ import annotations

from typing import TypedDict

from .flops import FlopCurve, LayerFlops, crossover, flop_curve, layer_flops
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
    preset = _chosen(key)
    length = preset["context"] if T is None else T
    d, d_ff, gated, d_kv = _sizes(preset)
    layer = layer_flops(length, d, d_ff, gated, d_kv, causal_half)
    return {
        "preset": preset,
        "T": length,
        "layer": layer,
        "all_layers": layer["total"] * preset["n_layers"],
        "crossover": crossover(d, d_ff, gated, d_kv, causal_half),
    }


class FlopsPicture(TypedDict):
    """A layer at a number of tokens, and over all of them."""

    T: int
    d: int
    d_ff: int
    gated: bool
    d_kv: int
    causal_half: bool
    preset: Preset | None
    """None for the layer of Vaswani et al. 2017."""
    layer: LayerFlops
    shares: dict[str, float]
    """Of each of the five products in the total, 0 to 1, by their names in `layer`."""
    crossover: float
    """Tokens beyond which the quadratic part exceeds the linear layers."""
    curve: FlopCurve
    """Its two ends: on log axes, both parts are straight lines."""


PRODUCTS = ("qkv", "output", "feedforward", "scores", "values")


def flops_picture(T: int, d: int | None = None, key: str | None = None, causal_half: bool = False) -> FlopsPicture:
    """Operations of a layer for one sequence of T tokens: of width d as in Vaswani et al. 2017, or of a preset.

    Raises `ValueError` unless just one of `d` and `key` is given, and for sizes and keys as its parts do.
    """
    if (d is None) == (key is None):
        raise ValueError("A layer has either a width d or the key of a preset; give one of them.")
    preset = None if key is None else _chosen(key)
    width, d_ff, gated, d_kv = (d, None, False, None) if preset is None else _sizes(preset)
    assert width is not None
    layer = layer_flops(T, width, d_ff, gated, d_kv, causal_half)
    products: dict[str, float] = {name: layer[name] for name in PRODUCTS}  # type: ignore[literal-required]
    return {
        "T": T,
        "d": width,
        "d_ff": d_ff or 4 * width,
        "gated": gated,
        "d_kv": d_kv or width,
        "causal_half": causal_half,
        "preset": preset,
        "layer": layer,
        "shares": {name: product / layer["total"] for name, product in products.items()},
        "crossover": crossover(width, d_ff, gated, d_kv, causal_half),
        "curve": flop_curve(width, d_ff, gated, d_kv, causal_half, points=2),
    }


def _chosen(key: str) -> Preset:
    return PRESETS[choice("The preset", key, list(PRESETS))]


def _sizes(preset: Preset) -> tuple[int, int, bool, int]:
    """d, d_ff, gated and d_kv."""
    d_kv = preset["d"] // preset["n_heads"] * preset["n_kv_heads"]
    return preset["d"], preset["d_ff"], preset["gated"], d_kv
