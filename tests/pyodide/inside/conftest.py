"""Tests that only make sense inside Pyodide: run by run_tests.mjs and in browsers, passed over elsewhere."""

import sys

from hypothesis import settings

collect_ignore_glob = [] if sys.platform == "emscripten" else ["test_*.py"]

settings.register_profile("inside", max_examples=60, deadline=None, derandomize=True, database=None)
# In a browser the arithmetic is the same, and only the compiler is another: fewer examples find a wrong instruction.
settings.register_profile("browser", settings.get_profile("inside"), max_examples=15)
settings.load_profile("inside")
