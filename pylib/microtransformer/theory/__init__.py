"""The numbers behind the article: one module per figure, and `article`, which lists all that the text quotes.

Every function takes plain values (a model and its tokens where there is one) and returns plain values: numbers, texts,
lists and dictionaries of them, which `json` writes and a page reads without conversion. `None` stands for a number
that is not finite, which JSON does not have: a masked score (-inf), or a norm that overflowed.
"""

from .article import numbers
from .cells import explain_cell, explain_weight, shapes_table
from .depth import gradient_by_depth, gradient_picture
from .flops import crossover, flop_curve, layer_flops, model_flops
from .jacobian import jacobian_norms, jacobian_picture, softmax_jacobian
from .lookup import EXAMPLE, lookup
from .masking import change_token, masked_softmax
from .presets import PRESETS, flops_picture, preset_flops
from .scores import model_score_spread, score_spread, spread_by_width
from .words import in_words

__all__ = [
    "EXAMPLE",
    "PRESETS",
    "change_token",
    "crossover",
    "explain_cell",
    "explain_weight",
    "flop_curve",
    "flops_picture",
    "gradient_by_depth",
    "gradient_picture",
    "in_words",
    "jacobian_norms",
    "jacobian_picture",
    "layer_flops",
    "lookup",
    "masked_softmax",
    "model_flops",
    "model_score_spread",
    "numbers",
    "preset_flops",
    "score_spread",
    "shapes_table",
    "softmax_jacobian",
    "spread_by_width",
]
