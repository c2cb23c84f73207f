"""Hypothesis profiles, and a small run."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import settings
from small_run import SMALL_MODEL, SMALL_RUN

from microtransformer import Trainer

# A step takes many times as long in WebAssembly, so fewer examples are drawn there; the file system is a copy.
IN_PYODIDE = sys.platform == "emscripten"

# Derandomised: a failure in CI is a failure at home. HYPOTHESIS_PROFILE=explore goes looking for new ones.
settings.register_profile("native", max_examples=60, deadline=None, derandomize=True)
settings.register_profile("explore", max_examples=1000, deadline=None)
settings.register_profile("pyodide", max_examples=10, deadline=None, derandomize=True, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "pyodide" if IN_PYODIDE else "native"))


@pytest.fixture
def small_trainer() -> Trainer:
    """A run that trains three steps per epoch in milliseconds."""
    return Trainer(SMALL_MODEL, SMALL_RUN)
