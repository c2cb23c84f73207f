"""A Transformer small enough to read, in NumPy, with every gradient written out.

from microtransformer import ModelConfig, TrainConfig, Trainer
trainer = Trainer(ModelConfig(), TrainConfig(task="reverse", mask="causal"))
print(trainer.run_epoch())
"""

from . import limits, masks, tasks
from .config import ModelConfig, TrainConfig
from .model import MicroTransformer
from .training import EpochRecord, Trainer, TrainingDiverged

__version__ = "0.1.0"

__all__ = [
    "EpochRecord",
    "MicroTransformer",
    "ModelConfig",
    "TrainConfig",
    "Trainer",
    "TrainingDiverged",
    "limits",
    "masks",
    "tasks",
]
