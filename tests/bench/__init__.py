"""Benchmarks: what is fast, by how much, measured side by side in one run. `python3 build.py bench`."""
