"""The sequence tasks, and the data they are learned from.

To add a task, write its rule below and one entry in `TASKS`; limits, command line and page pick it up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.int64]

MAX_ENUMERATED = 65_536
"""Up to this many sequences are listed exhaustively; beyond it they are sampled."""


@dataclass(frozen=True)
class Task:
    """A rule from input to target, position by position."""

    name: str
    label: str
    rule: Callable[[Tokens], Tokens]

    def target(self, tokens: NDArray[np.integer]) -> Tokens:
        """(B, T) integer tokens -> (B, T) target tokens."""
        return np.ascontiguousarray(self.rule(np.asarray(tokens, np.int64)))


def _reverse(tokens: Tokens) -> Tokens:
    """The sequence backwards.

    input   C A F H
    target  H F A C     position i needs the token at T-1-i
    """
    return tokens[:, ::-1]


def _copy(tokens: Tokens) -> Tokens:
    """The sequence itself.

    input   C A F H
    target  C A F H     position i needs only its own token
    """
    return tokens.copy()


def _sort(tokens: Tokens) -> Tokens:
    """The tokens in alphabetical order.

    input   C A F H
    target  A C F H     every position needs every token
    """
    return np.sort(tokens, axis=1)


TASKS: dict[str, Task] = {
    "reverse": Task("reverse", "Reverse", _reverse),
    "copy": Task("copy", "Copy", _copy),
    "sort": Task("sort", "Sort", _sort),
}


def enumerate_sequences(vocab_size: int, seq_len: int) -> Tokens:
    """All V^T sequences in counting order, (V^T, T). Raises `ValueError` when there are more than 65,536."""
    n = vocab_size**seq_len
    if n > MAX_ENUMERATED:
        raise ValueError(
            f"{vocab_size}^{seq_len} = {n:,} sequences are too many to list; at most {MAX_ENUMERATED:,} are."
        )
    # int64 throughout: in the browser the default integer has 32 bits.
    place = vocab_size ** np.arange(seq_len - 1, -1, -1, dtype=np.int64)  # (T,)
    return np.arange(n, dtype=np.int64)[:, None] // place % vocab_size  # (V^T, T)


def split(
    vocab_size: int, seq_len: int, train_sequences: int, held_out_sequences: int, seed: int
) -> tuple[Tokens, Tokens]:
    """Disjoint training and held-out inputs, (n, T) and (m, T), in an order that the seed decides.

    All V^T sequences are shuffled when they can be listed; otherwise n + m distinct ones are drawn.
    """
    total = vocab_size**seq_len
    n = min(train_sequences, total * 7 // 8)
    m = min(held_out_sequences, total - n)
    rng = np.random.default_rng([seed, 0])  # 0: the stream of the data; the model and the epochs have their own
    if total <= MAX_ENUMERATED:
        chosen = rng.permutation(enumerate_sequences(vocab_size, seq_len))
    else:
        chosen = _draw_distinct(rng, vocab_size, seq_len, n + m)
    return chosen[:n], chosen[n : n + m]


def _draw_distinct(rng: np.random.Generator, vocab_size: int, seq_len: int, count: int) -> Tokens:
    """(count, T) distinct sequences, uniform, in the order drawn. Needs count <= 7/8 V^T or so to end quickly."""
    drawn: Tokens = np.empty((0, seq_len), np.int64)
    while len(drawn) < count:
        more = rng.integers(0, vocab_size, (count, seq_len), dtype=np.int64)
        drawn = np.concatenate([drawn, more])
        _, first = np.unique(drawn, axis=0, return_index=True)
        drawn = drawn[np.sort(first)]
    return drawn[:count]


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def encode(text: str, vocab_size: int, seq_len: int) -> Tokens:
    """ "CAFH" -> (1, T) tokens. Raises `ValueError` with a sentence for a reader when it is not T letters of A–…."""
    last = LETTERS[vocab_size - 1]
    letters = text.strip().upper()
    wrong = next((c for c in letters if c not in LETTERS[:vocab_size]), None)
    if wrong is not None:
        raise ValueError(f"“{wrong}” is not one of the letters A to {last}.")
    if len(letters) != seq_len:
        raise ValueError(f"A sequence has {seq_len} letters, A to {last}; this one has {len(letters)}.")
    return np.array([[LETTERS.index(c) for c in letters]], np.int64)


def decode(tokens: NDArray[np.integer]) -> str:
    """(T,) tokens -> "CAFH"."""
    return "".join(LETTERS[int(t)] for t in tokens)
