"""A run whose epochs take milliseconds. Not in conftest.py: tests/site may have one of its own, under the same name."""

from microtransformer import ModelConfig, TrainConfig

SMALL_MODEL = ModelConfig(vocab_size=3, seq_len=3, d_model=8, n_heads=2, n_layers=1, d_ff=12)
"""27 sequences."""

SMALL_RUN = TrainConfig(train_sequences=20, batch_size=8, learning_rate=1e-2)
"""3 steps per epoch, the last of 4 sequences; 7 sequences held out."""
