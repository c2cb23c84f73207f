"""The facade that the page's worker calls: plain values in and out, short slices, and a run that nothing loses."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from math import log
from typing import Any

import numpy as np
import pytest
from small_run import SMALL_MODEL, SMALL_RUN

from microtransformer import MicroTransformer, ModelConfig, TrainConfig, Trainer, limits
from microtransformer.config import from_mapping
from microtransformer.layers import softmax
from microtransformer.playground import Playground, describe

SMALL = {
    name: value
    for name, value in (asdict(SMALL_MODEL) | asdict(SMALL_RUN)).items()
    if name not in ("seed", "mask")  # these take their defaults
}
FOREVER = 1e9
NO_TIME = 0.05
"""A budget in milliseconds that one training step uses up."""


@pytest.fixture
def playground() -> Playground:
    """With a small run that has just been started."""
    playground = Playground()
    playground.start(dict(SMALL))
    return playground


def train(playground: Playground, until: int, budget_ms: float = FOREVER) -> list[dict[str, Any]]:
    """As the worker does: call after call until the epoch is reached. Returns the records."""
    records = []
    for _ in range(10_000):
        answer = playground.advance(budget_ms, until)
        assert answer["error"] is None
        if answer["record"] is not None:
            records.append(answer["record"])
        if answer["done"]:
            return records
    raise AssertionError(f"epoch {until} was not reached")


def is_plain(value: Any) -> bool:
    """What JSON can hold, besides arrays for JavaScript: nothing that would cross as a proxy of a Python object."""
    if isinstance(value, dict):
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return all(is_plain(item) for item in value)
    if isinstance(value, np.ndarray):
        return value.dtype == np.float32 and value.ndim == 1 and value.flags.c_contiguous
    return value is None or type(value) in (bool, int, float, str)


# Starting


def test_start_describes_the_run() -> None:
    facts = Playground().start({"task": "sort", "mask": "causal", "seed": 3})
    assert is_plain(facts)
    json.dumps(facts)
    assert facts["model"] == asdict(ModelConfig())
    assert facts["train"] == asdict(TrainConfig(task="sort", mask="causal", seed=3))
    assert facts["parameters"] == Trainer(ModelConfig(), TrainConfig()).model.theta.size
    assert (facts["train_sequences"], facts["held_out_sequences"], facts["steps_per_epoch"]) == (512, 3584, 8)
    assert facts["guess_ce"] == log(8)
    assert facts["limit"] == asdict(limits.bayes_limit("sort", "causal"))


def test_settings_go_to_the_config_they_belong_to() -> None:
    facts = Playground().start({"n_layers": 1, "learning_rate": 0.01, "norm": "post", "batch_size": 32})
    assert facts["model"] == asdict(ModelConfig(n_layers=1, norm="post"))
    assert facts["train"] == asdict(TrainConfig(learning_rate=0.01, batch_size=32))


WRONG_SETTINGS = [
    ({"task": "rotate"}, r"^task must be one of reverse, copy, sort, but it is 'rotate'\.$"),
    ({"seed": -1}, r"^seed must be from 0 to 4,294,967,295, but it is -1\.$"),
    ({"seed": 0.5}, r"^seed must be a whole number .*\.$"),
    ({"n_heads": 3}, r"^n_heads must divide d_model, .*\.$"),
    ({"colour": "blue"}, r"^There is no setting 'colour'; .*\.$"),
]


@pytest.mark.parametrize(("settings", "sentence"), WRONG_SETTINGS)
def test_a_wrong_setting_keeps_the_run_before_it(
    playground: Playground, settings: dict[str, Any], sentence: str
) -> None:
    train(playground, 1)
    playground.advance(NO_TIME, 2)  # in the middle of an epoch
    trainer = playground.trainer
    with pytest.raises(ValueError, match=sentence):
        playground.start(settings)
    assert playground.trainer is trainer
    assert [record["epoch"] for record in train(playground, 2)] == [2]


def test_a_new_start_begins_at_epoch_0(playground: Playground) -> None:
    train(playground, 1)
    playground.advance(NO_TIME, 2)
    playground.start(dict(SMALL))
    assert [record["epoch"] for record in train(playground, 1)] == [0, 1]


def test_nothing_works_before_start() -> None:
    for call in (
        lambda p: p.advance(1, 1),
        lambda p: p.observe(0, "ABC"),
        lambda p: p.keep(),
        lambda p: p.change({"learning_rate": 0.1}),
    ):
        with pytest.raises(RuntimeError, match=r"^No run has been started; call start\(\) first\.$"):
            call(Playground())


# Advancing


@pytest.mark.parametrize("budget_ms", [NO_TIME, 1.0, FOREVER])
def test_records_are_those_of_the_trainer_bit_for_bit(playground: Playground, budget_ms: float) -> None:
    """However the work is sliced."""
    trainer = Trainer(from_mapping(ModelConfig, asdict(SMALL_MODEL)), SMALL_RUN)
    expected = [trainer.history[0], *(trainer.run_epoch() for _ in range(3))]
    assert train(playground, 3, budget_ms) == [asdict(record) for record in expected]
    np.testing.assert_array_equal(playground.trainer.model.theta, trainer.model.theta)


def test_a_small_budget_returns_between_two_steps(playground: Playground) -> None:
    train(playground, 0)
    steps = []
    while playground.trainer.epoch == 0:
        answer = playground.advance(NO_TIME, 1)
        assert is_plain(answer)
        assert answer["steps"] <= 1
        assert (answer["record"] is None) == (answer["epoch"] == 0)
        steps.append(answer["steps"])
    assert sum(steps) == playground.trainer.steps_per_epoch == 3


def test_a_call_ends_with_its_epoch_however_long_it_may_take(playground: Playground) -> None:
    """So that the page can draw every epoch."""
    for epoch in range(4):
        answer = playground.advance(FOREVER, 10)
        assert (answer["epoch"], answer["record"]["epoch"], answer["done"]) == (epoch, epoch, False)
        assert answer["steps"] == (3 if epoch else 0)
        assert answer["step_seconds"] >= 0


def test_advance_never_goes_beyond_until(playground: Playground) -> None:
    for until in (0, 2, 1, 0):
        train(playground, until)
        theta = playground.trainer.model.theta.copy()
        epoch = playground.trainer.epoch
        for _ in range(3):
            answer = playground.advance(FOREVER, until)
            assert (answer["record"], answer["error"], answer["done"], answer["steps"]) == (None, None, True, 0)
        assert playground.trainer.epoch == epoch == max(until, epoch)
        np.testing.assert_array_equal(playground.trainer.model.theta, theta)
    assert playground.trainer.epoch == 2


# Observing


@pytest.mark.parametrize("mask", ["bidirectional", "causal"])
def test_observe_shows_what_the_model_of_an_epoch_computes(mask: str) -> None:
    playground = Playground()
    playground.start({**SMALL, "mask": mask, "n_layers": 2})
    train(playground, 2)
    seen = []
    for epoch in range(3):
        shown = playground.observe(epoch, "cab")
        assert is_plain(shown)
        trace = playground.trainer.model_at(epoch).trace(np.array([[2, 0, 1]]), playground.trainer.mask)
        p = softmax(trace["logits"][0])
        assert shown["target"] == "BAC"
        assert shown["prediction"] == "".join("ABC"[i] for i in p.argmax(axis=1))
        np.testing.assert_array_equal(shown["confidence"], p.max(axis=1))
        np.testing.assert_array_equal(
            shown["attention"].reshape(2, 2, 3, 3), [trace["layers.0.P"][0], trace["layers.1.P"][0]]
        )
        seen.append(shown["attention"])
    assert (seen[0] != seen[2]).any()


def test_what_was_observed_stays_as_it_was(playground: Playground) -> None:
    train(playground, 1)
    shown = playground.observe(1, "ABC")
    kept = shown["attention"].copy()
    shown["attention"] += 1  # JavaScript may do what it likes with its arrays
    train(playground, 2)
    np.testing.assert_array_equal(playground.observe(1, "ABC")["attention"], kept)


@pytest.mark.parametrize(
    ("epoch", "probe", "error", "sentence"),
    [
        (0, "ABD", ValueError, r"^“D” is not one of the letters A to C\.$"),
        (0, "AB", ValueError, r"^A sequence has 3 letters, A to C; this one has 2\.$"),
        (2, "ABC", IndexError, r"^There is no epoch 2; this run has epochs 0 to 1\.$"),
    ],
)
def test_a_wrong_probe_or_epoch_does_not_disturb_the_run(
    playground: Playground, epoch: int, probe: str, error: type[Exception], sentence: str
) -> None:
    train(playground, 1)
    playground.advance(NO_TIME, 2)
    with pytest.raises(error, match=sentence):
        playground.observe(epoch, probe)
    untouched = Playground()
    untouched.start(dict(SMALL))
    assert train(playground, 3)[-1] == train(untouched, 3)[-1]


def test_observing_between_two_steps_does_not_disturb_the_run(playground: Playground) -> None:
    records = []
    while len(records) < 3:
        answer = playground.advance(NO_TIME, 2)
        playground.observe(answer["epoch"], "ABC")
        records += [answer["record"]] if answer["record"] else []
    untouched = Playground()
    untouched.start(dict(SMALL))
    assert records == train(untouched, 2)


# Keeping


def test_a_kept_run_is_observed_after_another_has_replaced_it(playground: Playground) -> None:
    train(playground, 2)
    playground.keep()
    seen = [playground.observe(epoch, "CAB") for epoch in range(3)]
    playground.start({**SMALL, "seed": 5, "n_layers": 2})
    train(playground, 1)
    for epoch in range(3):
        again = playground.observe(epoch, "CAB", kept=True)
        assert (again["target"], again["prediction"]) == (seen[epoch]["target"], seen[epoch]["prediction"])
        np.testing.assert_array_equal(again["attention"], seen[epoch]["attention"])
    assert playground.observe(1, "CAB")["attention"].size == 2 * seen[1]["attention"].size  # the new run has two layers


def test_keeping_another_run_or_none_lets_the_first_go(playground: Playground) -> None:
    train(playground, 1)
    playground.keep()
    playground.start({**SMALL, "n_layers": 2})
    train(playground, 0)
    playground.keep()
    playground.start(dict(SMALL))
    with pytest.raises(IndexError, match=r"^There is no epoch 1; "):
        playground.observe(1, "ABC", kept=True)
    playground.drop()
    with pytest.raises(RuntimeError, match=r"^No run is kept; call keep\(\) first\.$"):
        playground.observe(0, "ABC", kept=True)


def test_a_kept_run_can_go_on(playground: Playground) -> None:
    train(playground, 1)
    playground.keep()
    untouched = Playground()
    untouched.start(dict(SMALL))
    assert train(playground, 3)[-1] == train(untouched, 3)[-1]


# Changing and diverging


def test_changed_settings_hold_from_the_start_of_the_epoch_in_progress(playground: Playground) -> None:
    train(playground, 1)
    playground.advance(NO_TIME, 2)
    playground.change({"learning_rate": 1e-4})
    expected = Trainer(SMALL_MODEL, SMALL_RUN)
    expected.run_epoch()
    expected.change(learning_rate=1e-4)
    assert train(playground, 2) == [asdict(expected.run_epoch())]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"learning_rate": 0}, r"^learning_rate must be a finite number greater than 0, but it is 0\.$"),
        ({"task": "sort"}, r"^task cannot change during a run; .*\.$"),
        ({"momentum": 0.9}, r"^There is no setting 'momentum'; .*\.$"),
    ],
)
def test_a_wrong_change_does_not_disturb_the_run(
    playground: Playground, settings: dict[str, Any], sentence: str
) -> None:
    train(playground, 1)
    playground.advance(NO_TIME, 2)
    with pytest.raises(ValueError, match=sentence):
        playground.change(settings)
    untouched = Playground()
    untouched.start(dict(SMALL))
    assert train(playground, 3)[-1] == train(untouched, 3)[-1]


def test_a_diverging_run_says_so_and_goes_on_after_a_change() -> None:
    playground, steady = Playground(), Playground()
    for each in (playground, steady):
        each.start({**SMALL, "norm": "none"})
        train(each, 1)
    playground.change({"learning_rate": 1e30})
    answer = playground.advance(FOREVER, 5)
    assert is_plain(answer)
    assert answer["record"] is None and not answer["done"]
    assert answer["epoch"] == 1
    assert answer["error"].startswith("The loss was ") and "learning rate, 1e+30, is too high" in answer["error"]
    assert answer["steps"] >= 0
    shown = playground.observe(1, "ABC")
    assert np.isfinite(shown["confidence"]).all()
    playground.change({"learning_rate": SMALL["learning_rate"]})
    assert train(playground, 3) == train(steady, 3)


def test_a_run_with_too_many_sequences_to_count_has_no_limit(playground: Playground) -> None:
    assert playground.start({"vocab_size": 26, "d_model": 4, "train_sequences": 8})["limit"] is None


# Files


def test_a_run_that_was_saved_goes_on(playground: Playground) -> None:
    records = train(playground, 2)
    content, other = playground.save(), Playground()
    restored = other.restore(content, {"n_layers": [1, 4]})
    assert is_plain(restored)
    history = restored.pop("history")
    assert history == records
    assert restored == describe(playground.trainer)
    assert train(other, 3) == train(playground, 3)
    np.testing.assert_array_equal(other.observe(1, "ABC")["attention"], playground.observe(1, "ABC")["attention"])


def test_a_run_that_was_trained_beyond_its_plan_has_all_its_epochs(playground: Playground) -> None:
    planned = playground.trainer.train.epochs
    train(playground, planned + 1)
    restored = Playground().restore(playground.save(), {})
    assert restored["train"]["epochs"] == planned + 1 == len(restored["history"]) - 1


@pytest.mark.parametrize(
    ("shown", "sentence"),
    [
        ({"seq_len": [4, 4]}, r"^The run in the file has seq_len = 3; what can be shown here is 4\.$"),
        ({"n_layers": [2, 4]}, r"^The run in the file has n_layers = 1; what can be shown here is 2 to 4\.$"),
    ],
)
def test_a_run_that_cannot_be_shown_leaves_the_one_before(
    playground: Playground, shown: dict[str, list[int]], sentence: str
) -> None:
    content = playground.save()
    other = Playground()
    other.start(dict(SMALL))
    trainer = other.trainer
    for wrong in (content, b"PK", playground.weights(0)):
        with pytest.raises(
            ValueError, match=sentence if wrong is content else r"^The file is not a saved run of .*\.$"
        ):
            other.restore(wrong, shown)
    assert other.trainer is trainer
    assert train(other, 1)


def test_the_weights_of_an_epoch_are_its_models(playground: Playground) -> None:
    train(playground, 1)
    model = MicroTransformer.load(io.BytesIO(playground.weights(1)))
    np.testing.assert_array_equal(model.theta, playground.trainer.model_at(1).theta)
    with pytest.raises(IndexError, match=r"^There is no epoch 2; .*\.$"):
        playground.weights(2)
