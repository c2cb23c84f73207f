"""`numbers` as tables of text, for the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def in_words(numbers: dict[str, Any]) -> str:
    """The main numbers of every figure, one table each; `numbers` as `article.numbers` returns them."""
    tables = (_lookup, _spread, _jacobian, _mask, _flops, _depth)
    return "\n\n".join(table(numbers) for table in tables)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A first column of text, aligned left, and columns of numbers, aligned right."""
    width = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    lines = [
        "  ".join(
            cell.ljust(size) if column == 0 else cell.rjust(size)
            for column, (cell, size) in enumerate(zip(row, width, strict=True))
        )
        for row in (head, *rows)
    ]
    return "\n".join([title, *lines])


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _lookup(numbers: dict[str, Any]) -> str:
    found = numbers["lookup"]
    rows = [
        [token, _number(score, ".3f"), _number(scaled, ".3f"), _number(weight, ".3f")]
        for token, score, scaled, weight in zip(
            found["tokens"], found["scores"], found["scaled"], found["weights"], strict=True
        )
    ]
    output = ", ".join(f"{value:.3f}" for value in found["output"])
    title = f"Attention of {found['tokens'][found['token']]!r} over four tokens; its output is ({output})"
    return _table(title, ["key", "q.k", "q.k/sqrt(d_k)", "weight"], rows)


def _spread(numbers: dict[str, Any]) -> str:
    rows = []
    for found in numbers["spread"]:
        row = [str(found["d_k"]), f"{found['predicted']:.3f}"]
        for kind in ("unscaled", "scaled"):
            softened = found[kind]
            row += [f"{softened['std']:.3f}", f"{softened['max_probability']:.3f}", f"{softened['entropy']:.3f}"]
        rows.append(row)
    head = ["d_k", "sqrt(d_k)", "std", "max P", "entropy", "std scaled", "max P", "entropy"]
    tokens = numbers["spread"][0]["tokens"]
    return _table(f"Spread of q.k, and of its softmax over {tokens} keys (entropy in nats)", head, rows)


def _jacobian(numbers: dict[str, Any]) -> str:
    rows = [
        [f"{at['scale']:g}", f"{max(at['probabilities']):.4f}", f"{at['frobenius']:.2e}", f"{at['spectral']:.2e}"]
        for at in numbers["jacobian"]["at"]
    ]
    return _table("Jacobian of softmax at scale * (2, 1, 0, -1)", ["scale", "max P", "Frobenius", "spectral"], rows)


def _mask(numbers: dict[str, Any]) -> str:
    weights = numbers["mask"]["weights"]
    rows = [[f"i={i}", *(f"{weight:.3f}" if weight else "0" for weight in row)] for i, row in enumerate(weights)]
    return _table("Attention weights under the causal mask", ["", *(f"j={j}" for j in range(len(weights)))], rows)


def _flops(numbers: dict[str, Any]) -> str:
    flops = numbers["flops"]
    rows = []
    for name, at in flops["presets"].items():
        layer = at["layer"]
        shares = [f"{layer[share]:.1%}" for share in ("linear_share", "feedforward_share", "quadratic_share")]
        rows.append([name, f"{at['preset']['d']:,}", f"{at['T']:,}", f"{layer['total']:.3e}", *shares])
        rows[-1].append(f"{at['crossover']:,.0f}")
    head = ["model", "d", "T", "FLOPs/layer", "linear", "feedforward", "quadratic", "T where equal"]
    example = flops["example"]
    title = (
        f"Operations of one layer; at T = d = 4,096 {example['linear_share']:.1%} linear, "
        f"{example['feedforward_share']:.1%} feedforward, equal at T = {flops['crossover']:,.0f}"
    )
    return _table(title, head, rows)


def _depth(numbers: dict[str, Any]) -> str:
    depth = numbers["depth"]
    rows = []
    for start in ("scaled", "unscaled"):
        for norm in ("pre", "post", "none"):
            found = depth[start][norm]
            ends = [found["stream"][0], found["stream"][-1], found["growth"], found["factor"], found["last_half"]]
            rows.append([f"{norm}, {start}", *(_number(value, ".3g") for value in ends)])
    head = ["norm, W_O and W_down", "|dL/dx| first", "last", "ratio", "per layer", "in the last half"]
    title = f"Gradient of an untrained model through {depth['layers']} layers ('-': not finite)"
    return _table(title, head, rows)
