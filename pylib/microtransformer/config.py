"""Every setting of a model and of a training run, with its default and its valid range.

Defaults live here and nowhere else: the command line, the page and the tests read them from these classes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar

from .masks import MASKS
from .tasks import MAX_ENUMERATED, TASKS

Norm = Literal["pre", "post", "none"]


def _whole(name: str, value: object, low: int, high: int | None = None) -> None:
    top = f"to {high:,}" if high is not None else "upwards"
    # bool is an int in Python, yet `n_heads=True` is never meant.
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number from {low} {top}, but it is {value!r}.")
    if value < low or (high is not None and value > high):
        raise ValueError(f"{name} must be from {low} {top}, but it is {value}.")


def _real(name: str, value: object, low: float, high: float, *, low_open: bool = False) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not low <= value < high or (low_open and value == low):  # type: ignore[operator]
        bound = f"greater than {low:g}" if low_open else f"at least {low:g}"
        below = "" if high == float("inf") else f" and less than {high:g}"
        raise ValueError(f"{name} must be a finite number {bound}{below}, but it is {value!r}.")


@dataclass(frozen=True)
class ModelConfig:
    """The shape of a micro-Transformer and the switches that experiments flip.

    Raises `ValueError` with a full sentence when a value is out of range or two values do not fit together.
    """

    vocab_size: int = 8
    """V: number of token kinds, written A, B, C, … (2 to 26)."""
    seq_len: int = 4
    """T: tokens in a sequence (2 to 8)."""
    d_model: int = 32
    """d: width of the residual stream (1 to 1,024, a multiple of n_heads)."""
    n_heads: int = 2
    """H: attention heads per layer; each is d_k = d / H wide."""
    n_layers: int = 2
    """L: blocks (1 to 64; the figure of gradients by depth builds the deep ones)."""
    d_ff: int = 64
    """f: hidden width of the SwiGLU feedforward (1 to 4,096)."""
    norm: Norm = "pre"
    """Where RMSNorm stands: "pre" the sublayer (Xiong et al. 2020), "post" the addition, or "none"."""
    scale_scores: bool = True
    """Divide q.k by sqrt(d_k) (Vaswani et al. 2017, section 3.2.1)."""
    positions: bool = True
    """Add a learned position vector to each token vector."""
    rms_eps: float = 1e-5
    """Added to the mean square inside the root of RMSNorm."""

    def __post_init__(self) -> None:
        _whole("vocab_size", self.vocab_size, 2, 26)
        _whole("seq_len", self.seq_len, 2, 8)
        _whole("d_model", self.d_model, 1, 1024)
        _whole("n_heads", self.n_heads, 1)
        _whole("n_layers", self.n_layers, 1, 64)
        _whole("d_ff", self.d_ff, 1, 4096)
        if self.d_model % self.n_heads:
            raise ValueError(
                f"n_heads must divide d_model, but {self.n_heads} does not divide {self.d_model}; "
                f"choose one of {', '.join(str(h) for h in _divisors(self.d_model))}."
            )
        if self.norm not in ("pre", "post", "none"):
            raise ValueError(f'norm must be "pre", "post" or "none", but it is {self.norm!r}.')
        for name in ("scale_scores", "positions"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be True or False, but it is {getattr(self, name)!r}.")
        _real("rms_eps", self.rms_eps, 0.0, 1.0, low_open=True)

    @property
    def d_k(self) -> int:
        """Width of one head, d / H."""
        return self.d_model // self.n_heads


@dataclass(frozen=True)
class TrainConfig:
    """One training run: what to learn, under which mask, from which data, and how.

    Raises `ValueError` with a full sentence when a value is out of range.
    """

    task: str = "reverse"
    """A key of `tasks.TASKS`."""
    mask: str = "bidirectional"
    """A key of `masks.MASKS`."""
    seed: int = 0
    """Decides the initial weights, the train/held-out split and the order of the batches (0 to 2^32 - 1)."""
    epochs: int = 40
    """Length of a planned run; `Trainer.run_epoch` may be called beyond it."""
    batch_size: int = 64
    """B: sequences per step; the last batch of an epoch may be smaller."""
    learning_rate: float = 1e-3
    """Step size of Adam."""
    beta1: float = 0.9
    """Decay of Adam's first moment (Kingma and Ba 2015)."""
    beta2: float = 0.99
    """Decay of Adam's second moment."""
    adam_eps: float = 1e-8
    """Added to the root of Adam's second moment."""
    weight_decay: float = 0.0
    """Decoupled weight decay (Loshchilov and Hutter 2019)."""
    train_sequences: int = 512
    """Sequences trained on: this many, but at most 7/8 of all that exist, so that some are held out."""
    held_out_sequences: int = 3584
    """Sequences held out: this many, or all that are left."""

    def __post_init__(self) -> None:
        for name, value, known in (("task", self.task, TASKS), ("mask", self.mask, MASKS)):
            if value not in list(known):  # a list, because a value that cannot be a key is answered as well
                raise ValueError(f"{name} must be one of {', '.join(known)}, but it is {value!r}.")
        _whole("seed", self.seed, 0, 2**32 - 1)
        _whole("epochs", self.epochs, 1, 10_000)
        _whole("batch_size", self.batch_size, 1, 65_536)
        _whole("train_sequences", self.train_sequences, 1, MAX_ENUMERATED)
        _whole("held_out_sequences", self.held_out_sequences, 1, MAX_ENUMERATED)
        _real("learning_rate", self.learning_rate, 0.0, float("inf"), low_open=True)
        _real("beta1", self.beta1, 0.0, 1.0)
        _real("beta2", self.beta2, 0.0, 1.0)
        _real("adam_eps", self.adam_eps, 0.0, 1.0, low_open=True)
        _real("weight_decay", self.weight_decay, 0.0, float("inf"))


Config = TypeVar("Config", ModelConfig, TrainConfig)


def from_mapping(kind: type[Config], values: dict[str, Any]) -> Config:
    """Build a config from names and values, and name any setting that does not exist."""
    known = [field.name for field in fields(kind)]
    unknown = [name for name in values if name not in known]
    if unknown:
        raise ValueError(f"There is no setting {unknown[0]!r}; the settings are {', '.join(known)}.")
    return kind(**values)


def _divisors(n: int) -> list[int]:
    return [k for k in range(1, n + 1) if n % k == 0]
