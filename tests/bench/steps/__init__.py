"""What the benchmarks `step` and `sizes` are made of: one run, and everyone who takes its training steps."""
