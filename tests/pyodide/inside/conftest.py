"""Tests that only make sense inside Pyodide: run by run_tests.mjs, passed over elsewhere."""

import sys

from hypothesis import settings

collect_ignore_glob = [] if sys.platform == "emscripten" else ["test_*.py"]

settings.register_profile("inside", max_examples=60, deadline=None, derandomize=True, database=None)
settings.load_profile("inside")
