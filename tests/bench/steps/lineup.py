"""Who takes the steps: names, descriptions, and how each is started."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager

from tests.bench.report import note

from .browsers import InPyodide, TensorFlowJs, bench_site, chromium, firefox
from .contestants import Contestant, Native
from .torch_steps import FastTorch, PlainTorch

PAGE, STOCK, NATIVE = "page", "stock Pyodide", "native NumPy"
TORCH, FAST_TORCH, TENSORFLOW, FIREFOX = "PyTorch, plain", "PyTorch, best", "TensorFlow.js", "page in Firefox"
WHAT = {
    PAGE: "the site's worker in Chromium: Pyodide, own standard library, SIMD loops",
    STOCK: "Pyodide as released, in Chromium: complete standard library, NumPy's own loops",
    NATIVE: "the package in CPython, OpenBLAS on 1 thread",
    TORCH: "eager, 1 thread, each formula as written, `torch.optim.Adam`",
    FAST_TORCH: "eager, 1 thread, merged projections, `rms_norm`, `scaled_dot_product_attention`, fused Adam",
    TENSORFLOW: "WebAssembly backend with SIMD, in a worker in Chromium",
    FIREFOX: "as the page, in Firefox",
}


@contextmanager
def started(names: Collection[str] = tuple(WHAT)) -> Iterator[dict[str, Contestant]]:
    """The contestants of these names; Firefox only where there is one."""
    with ExitStack() as open_:
        site = open_.enter_context(bench_site())
        page = open_.enter_context(chromium(site))
        start: dict[str, Callable[[], Contestant]] = {
            PAGE: lambda: InPyodide(page, site),
            STOCK: lambda: InPyodide(page, site, stock=True),
            NATIVE: Native,
            TORCH: PlainTorch,
            FAST_TORCH: FastTorch,
            TENSORFLOW: lambda: TensorFlowJs(page, site),
        }
        if program := os.environ.get("FIREFOX"):
            start[FIREFOX] = lambda: InPyodide(open_.enter_context(firefox(site, program)), site)
        elif FIREFOX in names:
            note("  No Firefox was found; it is left out. Install it, or name it in the environment variable FIREFOX.")
        yield {name: start[name]() for name in names if name in start}
