"""Adam with decoupled weight decay, on one flat vector."""

from __future__ import annotations

from math import sqrt

import numpy as np

from .config import TrainConfig
from .layers import Array


class Adam:
    """Kingma and Ba 2015, algorithm 1; weight decay as in Loshchilov and Hutter 2019, algorithm 2 (AdamW).

    Their lambda alone scales the decay of a step; here, as in PyTorch, learning_rate * weight_decay does.
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
        # Both moments start at 0 and are too small by 1 - beta^t. As in section 2 of the paper, the learning rate takes
        # the correction, so that no pass over the vector is spent on it. `x` holds whatever is in between.
        correct_m = 1 - cfg.beta1**self.t
        correct_v = sqrt(1 - cfg.beta2**self.t)
        x = grad - self.m
        x *= 1 - cfg.beta1
        self.m += x
        np.multiply(grad, grad, out=x)
        x -= self.v
        x *= 1 - cfg.beta2
        self.v += x
        np.sqrt(self.v, out=x)
        x += cfg.adam_eps * correct_v
        np.divide(self.m, x, out=x)
        x *= cfg.learning_rate * correct_v / correct_m
        theta -= x
