"""Settings: the defaults of the contract, and a full sentence for every value out of range."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, asdict, fields, replace
from importlib.metadata import version
from typing import Any

import pytest

import microtransformer
from microtransformer import ModelConfig, TrainConfig
from microtransformer.config import from_mapping


def test_the_package_and_its_metadata_state_one_version() -> None:
    assert microtransformer.__version__ == version("microtransformer")


def test_defaults_of_the_model() -> None:
    assert asdict(ModelConfig()) == {
        "vocab_size": 8,
        "seq_len": 4,
        "d_model": 32,
        "n_heads": 2,
        "n_layers": 2,
        "d_ff": 64,
        "norm": "pre",
        "scale_scores": True,
        "positions": True,
        "rms_eps": 1e-5,
    }
    assert ModelConfig().d_k == 16


def test_defaults_of_a_run() -> None:
    """test_training_laws.py trains with these to the limits; change them there first."""
    assert asdict(TrainConfig()) == {
        "task": "reverse",
        "mask": "bidirectional",
        "seed": 0,
        "epochs": 40,
        "batch_size": 64,
        "learning_rate": 1e-3,
        "beta1": 0.9,
        "beta2": 0.99,
        "adam_eps": 1e-8,
        "weight_decay": 0.0,
        "train_sequences": 512,
        "held_out_sequences": 3584,
    }


NO_NUMBER: list[Any] = ["4", None, [4]]
NO_WHOLE_NUMBER: list[Any] = [*NO_NUMBER, 4.0, float("nan"), float("inf"), True]
NO_REAL_NUMBER: list[Any] = [*NO_NUMBER, float("nan"), float("inf"), -float("inf"), True]

WRONG: dict[type, dict[str, list[Any]]] = {
    ModelConfig: {
        "vocab_size": [*NO_WHOLE_NUMBER, 1, 0, -3, 27],
        "seq_len": [*NO_WHOLE_NUMBER, 1, 9, -4],
        "d_model": [*NO_WHOLE_NUMBER, 0, -2, 1025],
        "n_heads": [*NO_WHOLE_NUMBER, 0, -1, 3, 64],  # 3 and 64 do not divide 32
        "n_layers": [*NO_WHOLE_NUMBER, 0, 65],
        "d_ff": [*NO_WHOLE_NUMBER, 0, 4097],
        "norm": ["layer", "", "Pre", None, 1, ["pre"]],
        "scale_scores": [0, 1, "yes", None],
        "positions": [0, 1, "learned", None],
        "rms_eps": [*NO_REAL_NUMBER, 0.0, 0, -1e-5, 1.0],
    },
    TrainConfig: {
        "task": ["rotate", "", "Reverse", None, 0, ["sort"]],
        "mask": ["none", "", "Causal", None, 0, ["causal"]],
        "seed": [*NO_WHOLE_NUMBER, -1, 2**32],
        "epochs": [*NO_WHOLE_NUMBER, 0, -1, 10_001],
        "batch_size": [*NO_WHOLE_NUMBER, 0, -64, 65_537],
        "learning_rate": [*NO_REAL_NUMBER, 0, 0.0, -1e-3],
        "beta1": [*NO_REAL_NUMBER, -0.1, 1, 1.0, 1.5],
        "beta2": [*NO_REAL_NUMBER, -0.1, 1, 1.0, 1.5],
        "adam_eps": [*NO_REAL_NUMBER, 0, 0.0, -1e-8, 1.0],
        "weight_decay": [*NO_REAL_NUMBER, -0.1],
        "train_sequences": [*NO_WHOLE_NUMBER, 0, -1],
        "held_out_sequences": [*NO_WHOLE_NUMBER, 0, -1],
    },
}
"""A list for every setting there is, so that a new setting without a check fails below."""

VALID: dict[type, dict[str, list[Any]]] = {
    ModelConfig: {
        "vocab_size": [2, 26],
        "seq_len": [2, 8],
        "d_model": [2, 1024],
        "n_heads": [1, 2, 4, 8, 16, 32],
        "n_layers": [1, 64],
        "d_ff": [1, 4096],
        "norm": ["pre", "post", "none"],
        "scale_scores": [True, False],
        "positions": [True, False],
        "rms_eps": [1e-12, 0.5],
    },
    TrainConfig: {
        "task": ["reverse", "copy", "sort"],
        "mask": ["bidirectional", "causal"],
        "seed": [0, 2**32 - 1],
        "epochs": [1, 10_000],
        "batch_size": [1, 65_536],
        "learning_rate": [1e-9, 1, 1e30],  # a rate that diverges is a lesson, not a mistake
        "beta1": [0, 0.0, 0.999],
        "beta2": [0, 0.0, 0.999],
        "adam_eps": [1e-12, 0.1],
        "weight_decay": [0, 0.0, 0.1, 10],
        "train_sequences": [1, 65_536],
        "held_out_sequences": [1, 65_536],
    },
}

KINDS = [ModelConfig, TrainConfig]


def cases(table: dict[type, dict[str, list[Any]]]) -> list[Any]:
    return [
        pytest.param(kind, name, value, id=f"{name}={value!r}")
        for kind, settings in table.items()
        for name, values in settings.items()
        for value in values
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_the_tables_above_know_every_setting(kind: type) -> None:
    names = {field.name for field in fields(kind)}
    assert WRONG[kind].keys() == names
    assert VALID[kind].keys() == names


@pytest.mark.parametrize(("kind", "name", "value"), cases(WRONG))
def test_a_wrong_value_is_refused_with_a_sentence(kind: type, name: str, value: Any) -> None:
    with pytest.raises(ValueError) as caught:
        kind(**{name: value})
    sentence = str(caught.value)
    assert sentence.startswith(f"{name} must ")
    assert sentence.endswith(".") and "\n" not in sentence
    shown = str(value) if name == "n_heads" and isinstance(value, int) else repr(value)
    assert shown in sentence  # the reader sees what was given


@pytest.mark.parametrize(("kind", "name", "value"), cases(VALID))
def test_the_ends_of_every_range_are_accepted(kind: type, name: str, value: Any) -> None:
    assert getattr(kind(**{name: value}), name) == value


@pytest.mark.parametrize("kind", KINDS)
def test_settings_are_frozen(kind: type) -> None:
    settings = kind()
    for field in fields(kind):
        with pytest.raises(FrozenInstanceError):
            setattr(settings, field.name, getattr(settings, field.name))


def test_a_changed_copy_is_checked_too() -> None:
    with pytest.raises(ValueError, match=r"^learning_rate must be a finite number greater than 0, but it is -1\.$"):
        replace(TrainConfig(), learning_rate=-1)


def test_heads_that_do_not_divide_the_width_are_told_which_do() -> None:
    with pytest.raises(ValueError, match=r"^n_heads must divide d_model, .* choose one of 1, 2, 3, 4, 6, 12\.$"):
        ModelConfig(d_model=12, n_heads=5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_mapping_makes_the_same_settings(kind: type) -> None:
    assert from_mapping(kind, asdict(kind())) == kind()
    for name, values in VALID[kind].items():
        assert from_mapping(kind, {name: values[0]}) == kind(**{name: values[0]})


@pytest.mark.parametrize("kind", KINDS)
def test_a_setting_that_does_not_exist_is_named(kind: type) -> None:
    with pytest.raises(ValueError, match=r"^There is no setting 'dropout'; the settings are .*\.$"):
        from_mapping(kind, {"dropout": 0.1})
