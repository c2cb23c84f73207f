r"""One catalogue of names: every tensor of the model, its symbol, shape, meaning, and the line that computes it.

The article's table, its figures, `MicroTransformer.trace` and the tests read the same names. Symbols and expressions
are TeX, for norm="pre"; axes are B sequences, T positions, d model width, H heads of width d_k = d / H, f hidden
width, V token kinds.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from typing import Literal

from .config import ModelConfig


@dataclass(frozen=True)
class Tensor:
    """One tensor. `code` stands once in the source of `function`, on the line that computes the tensor."""

    id: str
    """Name in `trace` or in `params`, without the layer in front."""
    symbol: str
    expression: str
    """What the symbol equals; empty for a parameter, which is learned."""
    axes: tuple[str, ...]
    meaning: str
    function: str
    """Module and function, such as "layers.attention"."""
    code: str
    per_layer: bool = True
    kind: Literal["activation", "parameter"] = "activation"

    def name(self, layer: int = 0) -> str:
        """Key of the tensor in `trace` (an activation) or in `params` (a parameter)."""
        return f"layers.{layer}.{self.id}" if self.per_layer else self.id

    def shape(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The shape in numbers, for `sizes` as they come from `axis_sizes`."""
        return tuple(sizes[axis] for axis in self.axes)

    def line(self) -> int:
        """Line number of `code` in the file of its module, from 1. `LookupError` when it does not stand there once."""
        module, _, path = self.function.partition(".")
        lines, first = inspect.getsourcelines(attrgetter(path)(import_module(f"{__package__}.{module}")))
        found = [first + offset for offset, text in enumerate(lines) if self.code in text]
        if len(found) != 1:
            raise LookupError(
                f"The line {self.code!r}, which computes {self.id}, must stand once in {self.function}, "
                f"but it stands there {len(found)} times; write the line as it is now into the catalogue."
            )
        return found[0]


def axis_sizes(cfg: ModelConfig, batch: int) -> dict[str, int]:
    """Axis -> its length, for a model and a batch of `batch` sequences."""
    sizes = {"B": batch, "T": cfg.seq_len, "d": cfg.d_model, "H": cfg.n_heads, "d_k": cfg.d_k}
    return sizes | {"f": cfg.d_ff, "V": cfg.vocab_size}


_STREAM = ("B", "T", "d")
_HEADS = ("B", "H", "T", "d_k")
_PAIRS = ("B", "H", "T", "T")
_HIDDEN = ("B", "T", "f")

_ATTENTION_WEIGHTS = 'for name in ("W_Q", "W_K", "W_V", "W_O")'
_NORM = "h, norm = rms_norm(x, gain, cfg.rms_eps)"
_SPLIT = "Q, K, V = _heads(QKV, T, H)"
_FEED = 'linear(h, w[at + "W_gate_up"])'


def _parameter(id: str, symbol: str, axes: tuple[str, ...], meaning: str, code: str, per_layer: bool = True) -> Tensor:
    return Tensor(id, symbol, "", axes, meaning, "parameters.layout", code, per_layer, "parameter")


CATALOGUE: dict[str, Tensor] = {
    tensor.id: tensor
    for tensor in (
        _parameter(
            "embed.tokens", r"E", ("V", "d"), "one learned vector per token kind", 'yield "embed.tokens"',
            per_layer=False,
        ),
        _parameter(
            "embed.positions", r"E_{pos}", ("T", "d"), "one learned vector per position", 'yield "embed.positions"',
            per_layer=False,
        ),
        Tensor(
            "embed", r"x_0", r"E_{token} + E_{pos}", _STREAM, "token vectors plus position vectors",
            "model.MicroTransformer._run", 'x = w["embed.tokens"][flat]', per_layer=False,
        ),
        Tensor(
            "x_in", r"x", r"x_{out} \text{ of the layer before}", _STREAM,
            "the residual stream as the layer receives it", "model.MicroTransformer._run", "x, cache = block(x, w,",
        ),
        _parameter("norm_attn", r"g_{attn}", ("d",), "gain of the norm before attention", 'yield at + "norm_attn"'),
        Tensor(
            "X", r"X", r"\mathrm{RMSNorm}(x)", _STREAM, "one normalised vector per token: what attention reads",
            "block._residual", _NORM,
        ),
        _parameter("W_Q", r"W_Q", ("d", "d"), "learned projection to queries", _ATTENTION_WEIGHTS),
        _parameter("W_K", r"W_K", ("d", "d"), "learned projection to keys", _ATTENTION_WEIGHTS),
        _parameter("W_V", r"W_V", ("d", "d"), "learned projection to values", _ATTENTION_WEIGHTS),
        Tensor(
            "Q", r"Q_h", r"X W_Q^{(h)}", _HEADS, "what each token looks for", "block._attend", _SPLIT,
        ),
        Tensor(
            "K", r"K_h", r"X W_K^{(h)}", _HEADS, "what each token can be found by", "block._attend", _SPLIT,
        ),
        Tensor(
            "V", r"V_h", r"X W_V^{(h)}", _HEADS, "what each token passes on", "block._attend", _SPLIT,
        ),
        Tensor(
            "S", r"S_h", r"Q_h K_h^T / \sqrt{d_k} + M", _PAIRS,
            "how well each query fits each key; −∞ where the mask forbids it",
            "layers.attention", "S = Q @ K.swapaxes(-1, -2)",
        ),
        Tensor(
            "P", r"P_h", r"\mathrm{softmax}(S_h)", _PAIRS, "attention weights: each row sums to 1",
            "layers.attention", "P = softmax(S)",
        ),
        Tensor(
            "O", r"O_h", r"P_h V_h", _HEADS, "values, averaged with the attention weights",
            "layers.attention", "return P @ V",
        ),
        Tensor(
            "O_concat", r"O_{concat}", r"[O_1, \dots, O_H]", _STREAM, "the outputs of all heads side by side",
            "block._attend", "O_concat = O.swapaxes(1, 2)",
        ),
        _parameter("W_O", r"W_O", ("d", "d"), "learned projection that mixes the heads", _ATTENTION_WEIGHTS),
        Tensor(
            "Y", r"Y", r"O_{concat} W_O", _STREAM, "what attention adds to the residual stream",
            "block._attend", "Y, out = linear(O_concat,",
        ),
        Tensor(
            "x_mid", r"x_{mid}", r"x + Y", _STREAM, "the residual stream after attention",
            "block.block", "x_mid, attn = _residual(x,",
        ),
        _parameter("norm_ffn", r"g_{ffn}", ("d",), "gain of the norm before the feedforward", 'yield at + "norm_ffn"'),
        Tensor(
            "X_ffn", r"X_{ffn}", r"\mathrm{RMSNorm}(x_{mid})", _STREAM, "what the feedforward reads",
            "block._residual", _NORM,
        ),
        _parameter("W_gate", r"W_{gate}", ("d", "f"), "learned projection to the gates", 'yield at + "W_gate"'),
        _parameter("W_up", r"W_{up}", ("d", "f"), "learned projection to what is gated", 'yield at + "W_up"'),
        Tensor("gate", r"G", r"X_{ffn} W_{gate}", _HIDDEN, "how far each hidden unit opens", "block._feed", _FEED),
        Tensor("up", r"U", r"X_{ffn} W_{up}", _HIDDEN, "what each hidden unit lets through", "block._feed", _FEED),
        Tensor(
            "hidden", r"Z", r"\mathrm{silu}(G) \odot U", _HIDDEN, "hidden units, gated",
            "block._feed", "hidden, glu = swiglu(*gate_up)",
        ),
        _parameter("W_down", r"W_{down}", ("f", "d"), "learned projection back to the stream", 'yield at + "W_down"'),
        Tensor(
            "Y_ffn", r"Y_{ffn}", r"Z W_{down}", _STREAM, "what the feedforward adds to the residual stream",
            "block._feed", "y, out = linear(hidden,",
        ),
        Tensor(
            "x_out", r"x_{out}", r"x_{mid} + Y_{ffn}", _STREAM, "the residual stream as the layer leaves it",
            "block.block", "x_out, ffn = _residual(x_mid,",
        ),
        _parameter("norm_out", r"g_{out}", ("d",), "gain of the last norm", 'yield "norm_out"', per_layer=False),
        Tensor(
            "X_out", r"X_{out}", r"\mathrm{RMSNorm}(x_{out})", _STREAM, "the last layer's output, normalised",
            "model.MicroTransformer._run", 'x, norm = rms_norm(x, w["norm_out"]', per_layer=False,
        ),
        _parameter(
            "W_U", r"W_U", ("d", "V"), "learned projection to one score per token kind", 'yield "W_U"', per_layer=False
        ),
        Tensor(
            "logits", r"\text{logits}", r"X_{out} W_U", ("B", "T", "V"), "one score per position and token kind",
            "model.MicroTransformer._run", 'logits, unembed = linear(x, w["W_U"])', per_layer=False,
        ),
    )
}  # fmt: skip
"""Tensor id -> entry, in the order of the forward pass."""

TABLE: tuple[tuple[str, ...], ...] = (
    ("X",),
    ("W_Q", "W_K", "W_V"),
    ("Q", "K", "V"),
    ("S",),
    ("P",),
    ("O",),
    ("O_concat",),
    ("Y",),
)
"""The eight rows of the article's table of shapes; tensors that share a row share a shape."""
