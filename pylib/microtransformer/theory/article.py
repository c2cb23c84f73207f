"""Every number and default figure that the article quotes without a trained model."""

from __future__ import annotations

from typing import Any

from ..config import ModelConfig
from .cells import shapes_table
from .depth import gradient_picture
from .flops import crossover, flop_curve, layer_flops, model_flops
from .jacobian import SCALES, jacobian_norms, softmax_jacobian
from .lookup import lookup
from .masking import masked_softmax
from .presets import PRESETS, preset_flops
from .scores import spread_by_width

WIDTH, TOKENS = 4096, 4096
"""Of the worked example of operations: a model of 7 to 8 billion parameters."""
LOOKED_UP = 3
"""The token of the example that attends: "it"."""
SCORES = (2.0, 1.0, 0.0, -1.0)
MASKED_SCORES = ((1.0, 3.0, 2.0, 0.0), (2.0, 1.0, 3.0, 1.0), (0.0, 2.0, 1.0, 3.0), (1.0, 0.0, 2.0, 1.0))
DEPTH = 64


def numbers(seed: int = 0) -> dict[str, Any]:
    """Figure -> its numbers, all plain values. About half a second, most of it for the gradients by depth."""
    return {
        "lookup": lookup(LOOKED_UP),
        "shapes": shapes_table(ModelConfig()),
        "spread": spread_by_width(seed=seed),
        "jacobian": {
            "at": [softmax_jacobian(SCORES, scale) for scale in (1.0, 4.0, 16.0)],
            "curve": jacobian_norms(SCORES, SCALES),
        },
        "mask": masked_softmax(MASKED_SCORES),
        "flops": {
            "example": layer_flops(TOKENS, WIDTH),
            "crossover": crossover(WIDTH),
            "crossover_causal": crossover(WIDTH, causal_half=True),
            "curve": flop_curve(WIDTH),
            "presets": {key: preset_flops(key) for key in PRESETS},
            "micro": model_flops(ModelConfig()),
        },
        "depth": {
            "layers": DEPTH,
            "half": DEPTH // 2,
            "scaled": gradient_picture(DEPTH, scale_residual=True, seed=seed),
            "unscaled": gradient_picture(DEPTH, scale_residual=False, seed=seed),
        },
    }
