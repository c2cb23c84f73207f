"""Adam with decoupled weight decay, on one flat vector."""

from __future__ import annotations

import numpy as np

from .config import TrainConfig
from .layers import Array


class Adam:
    """Kingma and Ba 2015, algorithm 1; weight decay as in Loshchilov and Hutter 2019, algorithm 2 (AdamW).

    `m`, `v` are the running mean of the gradient and of its square, shape of theta; `t` counts the steps taken.
    """

    def __init__(self, theta: Array) -> None:
        self.m = np.zeros_like(theta)
        self.v = np.zeros_like(theta)
        self.t = 0

    def step(self, theta: Array, grad: Array, cfg: TrainConfig) -> None:
        """Move theta (P,) against grad (P,), in place."""
        self.t += 1
        if cfg.weight_decay:
            theta *= 1 - cfg.learning_rate * cfg.weight_decay
        self.m += (grad - self.m) * (1 - cfg.beta1)
        self.v += (grad * grad - self.v) * (1 - cfg.beta2)
        # Both moments start at 0 and are too small by 1 - beta^t; eps is added outside the corrected root.
        correct_m = 1 - cfg.beta1**self.t
        correct_v = 1 - cfg.beta2**self.t
        denominator = np.sqrt(self.v / correct_v)
        denominator += cfg.adam_eps
        theta -= self.m / denominator * (cfg.learning_rate / correct_m)
