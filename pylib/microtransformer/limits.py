"""The exact optimum of a task under a mask: what no model can beat, however large.

Under a mask, position i knows only the tokens it may attend to. The best it can do is the true distribution of its
target given those tokens; here that is counted out over all V^T equally likely sequences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .masks import allowed
from .tasks import TASKS, enumerate_sequences


@dataclass(frozen=True)
class Limit:
    """The best possible scores; cross-entropies in nats, accuracies from 0 to 1."""

    ce: float
    accuracy: float
    ce_per_position: tuple[float, ...]
    accuracy_per_position: tuple[float, ...]


def bayes_limit(task: str, mask: str, vocab_size: int = 8, seq_len: int = 4) -> Limit:
    """Lowest cross-entropy and highest token accuracy that any model can reach, overall and per position.

    The cross-entropy at position i is the conditional entropy H(target_i | visible tokens) (Cover and Thomas 2006,
    section 2.2). Raises `ValueError` for an unknown task or mask, or when V^T exceeds 65,536.
    """
    if task not in TASKS:
        raise ValueError(f"task must be one of {', '.join(TASKS)}, but it is {task!r}.")
    visible = allowed(mask, seq_len)  # (T, T)
    tokens = enumerate_sequences(vocab_size, seq_len)  # (V^T, T)
    targets = TASKS[task].target(tokens)  # (V^T, T)
    ce, accuracy = [], []
    for i in range(seq_len):
        seen = tokens[:, visible[i]]  # (V^T, how many keys position i sees)
        place = vocab_size ** np.arange(seen.shape[1], dtype=np.int64)
        context = seen @ place  # (V^T,): one number for everything position i knows
        # Joint counts of (context, target). astype(intp): bincount takes no int64 where pointers have 32 bits.
        joint = np.bincount(
            (context * vocab_size + targets[:, i]).astype(np.intp), minlength=vocab_size ** (seen.shape[1] + 1)
        ).reshape(-1, vocab_size)  # (contexts, V)
        p = joint / joint.sum(axis=1, keepdims=True)
        log_p = np.log(p, out=np.zeros_like(p), where=p > 0)
        weight = joint / len(tokens)
        ce.append(0.0 - float((weight * log_p).sum()))  # 0.0 - 0.0 is 0.0, where -0.0 would print a sign
        accuracy.append(float(joint.max(axis=1).sum() / len(tokens)))
    return Limit(float(np.mean(ce)), float(np.mean(accuracy)), tuple(ce), tuple(accuracy))
