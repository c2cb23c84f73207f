"""A training run: its records, its repeatability, its file, and what happens when it diverges."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_run import SMALL_MODEL, SMALL_RUN

from microtransformer import MicroTransformer, ModelConfig, TrainConfig, Trainer, TrainingDiverged
from microtransformer.layers import softmax
from microtransformer.optim import Adam

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def run(epochs: int, cfg: ModelConfig = SMALL_MODEL, train: TrainConfig = SMALL_RUN) -> Trainer:
    trainer = Trainer(cfg, train)
    for _ in range(epochs):
        trainer.run_epoch()
    return trainer


def assert_same_run(one: Trainer, other: Trainer) -> None:
    """Bit for bit: weights of all epochs, optimiser and records."""
    assert one.epoch == other.epoch
    assert one.history == other.history
    for mine, theirs in zip(one.snapshots, other.snapshots, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(one.model.theta, other.model.theta)
    np.testing.assert_array_equal(one.optimiser.m, other.optimiser.m)
    np.testing.assert_array_equal(one.optimiser.v, other.optimiser.v)
    assert one.optimiser.t == other.optimiser.t


# Records


@pytest.mark.parametrize("mask", ["bidirectional", "causal"])
@pytest.mark.parametrize("task", ["reverse", "copy", "sort"])
def test_the_history_is_what_the_snapshots_score(task: str, mask: str) -> None:
    """history[e] can be recomputed from model_at(e) and the held-out sequences, without the Trainer's own code."""
    cfg = ModelConfig(vocab_size=4, seq_len=4, d_model=8, d_ff=8)  # 256 sequences: more than one evaluation chunk
    trainer = run(3, cfg, TrainConfig(task=task, mask=mask, train_sequences=64, batch_size=24, learning_rate=1e-2))
    assert [record.epoch for record in trainer.history] == [0, 1, 2, 3]
    for record in trainer.history:
        model = trainer.model_at(record.epoch)
        p = softmax(model.forward(trainer.held_out_tokens, trainer.mask).astype(np.float64))  # (n, T, V)
        nll = -np.log(np.take_along_axis(p, trainer.held_out_targets[..., None], axis=-1)[..., 0])  # (n, T)
        right = p.argmax(axis=-1) == trainer.held_out_targets
        assert record.ce == pytest.approx(nll.mean(), rel=1e-6)
        assert record.ce_per_position == pytest.approx(nll.mean(axis=0), rel=1e-6)
        # A count of right answers leaves no room for rounding.
        assert record.accuracy == right.mean()
        assert record.accuracy_per_position == tuple(right.mean(axis=0))
        assert record.exact_match == right.all(axis=1).mean()
        assert record.exact_match <= min(record.accuracy_per_position)


def test_a_snapshot_scores_exactly_what_was_recorded() -> None:
    """To the last bit, when the same numbers are computed in the same chunks."""
    trainer = run(3)
    for record in trainer.history:
        again = Trainer(SMALL_MODEL, SMALL_RUN)
        again.model.theta[:] = trainer.model_at(record.epoch).theta
        (fresh,) = again.history
        assert replace(fresh, epoch=record.epoch, train_ce=record.train_ce) == record


def test_training_cross_entropy_is_the_mean_before_each_update(small_trainer: Trainer) -> None:
    """Over the sequences of an epoch, so that a smaller last batch weighs less."""
    small_trainer.run_epoch()
    before = small_trainer.history[0]
    nll = -np.log(
        np.take_along_axis(
            softmax(small_trainer.model_at(0).forward(small_trainer.train_tokens, small_trainer.mask)),
            small_trainer.train_targets[..., None],
            axis=-1,
        )
    )
    assert before.train_ce == pytest.approx(nll.mean(), rel=1e-5)

    one_batch = Trainer(SMALL_MODEL, replace(SMALL_RUN, batch_size=20))
    assert one_batch.run_epoch().train_ce == pytest.approx(before.train_ce, rel=1e-5)

    tiny_steps = Trainer(SMALL_MODEL, replace(SMALL_RUN, learning_rate=1e-12))
    assert tiny_steps.steps_per_epoch == 3  # 8 + 8 + 4 sequences
    assert tiny_steps.run_epoch().train_ce == pytest.approx(before.train_ce, rel=1e-5)
    assert run(8).history[-1].train_ce < before.train_ce


def test_an_epoch_uses_every_training_sequence_once(small_trainer: Trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    """In another order every epoch, and never a held-out one."""
    seen: list[np.ndarray] = []
    step = small_trainer._step

    def spy(tokens: np.ndarray, targets: np.ndarray) -> float:
        np.testing.assert_array_equal(targets, tokens[:, ::-1])  # the task is reverse
        seen.append(tokens)
        return step(tokens, targets)

    monkeypatch.setattr(small_trainer, "_step", spy)
    orders = []
    for _ in range(2):
        seen.clear()
        small_trainer.run_epoch()
        assert [len(tokens) for tokens in seen] == [8, 8, 4]
        orders.append(np.concatenate(seen).tolist())
        assert sorted(orders[-1]) == sorted(small_trainer.train_tokens.tolist())
    assert orders[0] != orders[1]


def test_epoch_0_is_the_untrained_model(small_trainer: Trainer) -> None:
    start = small_trainer.model.theta.copy()
    assert small_trainer.epoch == 0 and small_trainer.evaluated == 0
    assert [record.epoch for record in small_trainer.history] == [0]
    assert small_trainer.evaluated == 1
    assert small_trainer.history[0].ce == pytest.approx(log(3), rel=0.05)
    small_trainer.run_epoch()
    np.testing.assert_array_equal(small_trainer.model_at(0).theta, start)


def test_an_epoch_not_yet_trained_is_refused(small_trainer: Trainer) -> None:
    small_trainer.run_epoch()
    for epoch in (2, -1):
        with pytest.raises(IndexError, match=rf"^There is no epoch {epoch}; this run has epochs 0 to 1\.$"):
            small_trainer.model_at(epoch)


def test_snapshots_are_copies_of_their_own(small_trainer: Trainer) -> None:
    for _ in range(2):
        small_trainer.run_epoch()
    theta = small_trainer.model.theta
    for snapshot in small_trainer.snapshots:
        assert not np.shares_memory(snapshot, theta)
    kept = [snapshot.copy() for snapshot in small_trainer.snapshots]
    assert (kept[1] != kept[2]).any()
    theta += 1
    small_trainer.optimiser.m += 1
    for epoch, snapshot in enumerate(kept):
        np.testing.assert_array_equal(small_trainer.model_at(epoch).theta, snapshot)
    small_trainer.rollback()
    np.testing.assert_array_equal(theta, kept[2])


# The same again


def test_one_seed_is_one_run() -> None:
    assert_same_run(run(4), run(4))


def test_another_seed_is_another_run() -> None:
    """In its weights, its held-out sequences and the order of its batches."""
    one, other = run(1), run(1, train=replace(SMALL_RUN, seed=1))
    assert (one.snapshots[0] != other.snapshots[0]).any()
    assert sorted(one.held_out_tokens.tolist()) != sorted(other.held_out_tokens.tolist())


def test_pieces_of_an_epoch_are_the_epoch() -> None:
    whole = run(2)
    pieces = Trainer(SMALL_MODEL, SMALL_RUN)
    for _ in range(2):
        count = sum(1 for _ in pieces.epoch_work())
        assert count >= pieces.steps_per_epoch
    assert_same_run(pieces, whole)


def test_looking_at_a_run_does_not_change_it() -> None:
    watched = Trainer(SMALL_MODEL, SMALL_RUN)
    for _ in range(2):
        for _ in watched.epoch_work():
            watched.model_at(watched.epoch).trace(watched.held_out_tokens, watched.mask)
            watched.history  # noqa: B018
    assert_same_run(watched, run(2))


def test_an_epoch_left_half_way_begins_again_after_rollback() -> None:
    trainer = run(1)
    work = trainer.epoch_work()
    next(work)
    next(work)
    assert trainer.optimiser.t == 5  # 3 steps of the first epoch, 2 of this one
    trainer.rollback()
    trainer.run_epoch()
    assert_same_run(trainer, run(2))


# The file


def written(trainer: Trainer) -> io.BytesIO:
    file = io.BytesIO()
    trainer.save(file)
    file.seek(0)
    return file


@given(st.integers(0, 3), st.integers(0, 3), st.sampled_from([np.float32, np.float64]), st.integers(0, 2**32 - 1))
def test_a_saved_run_goes_on_as_if_it_had_not_been(before: int, after: int, dtype: type, seed: int) -> None:
    cfg, train = replace(SMALL_MODEL, norm="post"), replace(SMALL_RUN, seed=seed, weight_decay=0.01)
    trainer = Trainer(cfg, train, dtype)
    for _ in range(before):
        trainer.run_epoch()
    loaded = Trainer.load(written(trainer))
    assert (loaded.cfg, loaded.train) == (cfg, train)
    assert loaded.model.theta.dtype == dtype
    assert_same_run(loaded, trainer)
    for _ in range(after):
        trainer.run_epoch()
        loaded.run_epoch()
    assert_same_run(loaded, trainer)


def test_a_run_saved_within_an_epoch_is_the_last_complete_epoch() -> None:
    trainer = run(2)
    work = trainer.epoch_work()
    next(work)
    loaded = Trainer.load(written(trainer))
    assert loaded.epoch == 2
    assert_same_run(loaded, run(2))
    for _ in work:  # saving has not disturbed the epoch in progress
        pass
    loaded.run_epoch()
    assert_same_run(loaded, trainer)
    assert_same_run(trainer, run(3))


def test_changed_settings_are_saved(small_trainer: Trainer) -> None:
    small_trainer.run_epoch()
    small_trainer.change(learning_rate=1e-4)
    loaded = Trainer.load(written(small_trainer))
    assert loaded.train.learning_rate == 1e-4
    small_trainer.run_epoch()
    loaded.run_epoch()
    assert_same_run(loaded, small_trainer)


def test_the_file_has_the_name_it_was_given(small_trainer: Trainer, tmp_path: Path) -> None:
    """`numpy.savez` alone would add .npz."""
    for name in ("run.npz", "run"):
        small_trainer.save(tmp_path / name)
        assert_same_run(Trainer.load(tmp_path / name), small_trainer)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "run.npz"]


def changed(run_changes: dict[str, Any], **arrays: Any) -> bytes:
    """A saved run of one epoch with some entries replaced; None removes one."""
    content = dict(np.load(written(run(1))))
    text = json.loads(str(content["run"])) | run_changes
    content["run"] = np.array(json.dumps({key: value for key, value in text.items() if value is not None}))
    content |= arrays
    file = io.BytesIO()
    np.savez(file, **{key: value for key, value in content.items() if value is not None})
    return file.getvalue()


def an_array_alone() -> bytes:
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    return file.getvalue()


def with_a_wrong_byte() -> bytes:
    content = bytearray(written(run(1)).getvalue())
    content[len(content) // 2] ^= 0xFF
    return bytes(content)


def with_entry(name: str, content: bytes) -> bytes:
    """A saved run with one of its entries replaced, byte for byte."""
    file = io.BytesIO()
    with zipfile.ZipFile(written(run(1))) as old, zipfile.ZipFile(file, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, content if entry == name else old.read(entry))
    return file.getvalue()


def header_of(shape: tuple[int, ...], descr: str = "<f4") -> bytes:
    """An array that claims a shape, and has no numbers."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"shape": shape, "fortran_order": False, "descr": descr})
    return stream.getvalue()


def with_a_record(**changes: Any) -> bytes:
    records = [asdict(record) for record in run(1).history]
    return changed({"history": [records[0], records[1] | changes]})


JUNK: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "text": lambda: b"epoch,ce\n0,2.08\n",
    "an array alone": an_array_alone,
    "cut short": lambda: written(run(1)).getvalue()[:-200],
    "a wrong byte": with_a_wrong_byte,
    "arrays of something else": lambda: changed({}, run=None),
    "no optimiser": lambda: changed({}, m=None),
    "another format": lambda: changed({"format": 99}),
    "no model": lambda: changed({"model": None}),
    "no history": lambda: changed({"history": None}),
    "no step count": lambda: changed({"steps": None}),
    "a wrong model": lambda: changed({"model": asdict(SMALL_MODEL) | {"n_layers": 99}}),
    "a setting of the future": lambda: changed({"train": asdict(SMALL_RUN) | {"dropout": 0.1}}),
    "no records": lambda: changed({"history": [{}, {}]}),
    "fewer epochs": lambda: changed({"history": []}),
    "weights of another model": lambda: changed({}, snapshots=np.zeros((2, 7), np.float32)),
    "integers": lambda: changed({}, v=np.zeros(run(0).model.theta.shape, np.int64)),
    "mixed precision": lambda: changed({}, v=np.zeros(run(0).model.theta.shape, np.float64)),
    "not a mapping": lambda: changed({}, run=np.array("[1, 2]")),
    "not JSON": lambda: changed({}, run=np.array("epoch 1")),
    "nested too deeply": lambda: changed({}, run=np.array("[" * 100_000)),
    "nested too deeply, which strings hide": lambda: changed({}, run=np.array('["]\\"",' * 100_000)),
    "a shape that would fill the memory": lambda: with_entry("snapshots.npy", header_of((2, 10**12))),
    "an array of texts that would": lambda: with_entry("run.npy", header_of((), "<U1000000000")),
    "Python objects": lambda: with_entry("m.npy", header_of((3,), "|O")),
    "no array": lambda: with_entry("m.npy", b"m"),
    "numbers that are not finite": lambda: changed({}, m=np.full(run(0).model.theta.shape, np.nan, np.float32)),
    "a record out of its place": lambda: with_a_record(epoch=3),
    "a loss that is no number": lambda: with_a_record(ce="low"),
    "too few positions": lambda: with_a_record(ce_per_position=[0.5]),
    "steps in words": lambda: changed({"steps": "many"}),
}


@pytest.mark.parametrize("kind", JUNK)
def test_a_file_that_is_not_a_run_is_refused_with_a_sentence(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    path.write_bytes(JUNK[kind]())
    with pytest.raises(ValueError) as caught:
        Trainer.load(path)
    sentence = str(caught.value)
    assert (
        sentence.startswith("some.npz is not a saved run of microtransformer: ")
        and sentence.endswith(".")
        and not sentence.endswith("..")
    )


def test_a_file_that_unpacks_to_more_than_is_allowed_is_not_unpacked() -> None:
    file = written(run(1))
    with pytest.raises(ValueError, match="at most 1,000 are read"):
        Trainer.load(file, largest=1000)


def test_the_weights_of_an_epoch_are_a_file_of_their_own(tmp_path: Path) -> None:
    model = run(2).model_at(1)
    model.save(tmp_path / "weights.npz", {"epoch": 1})
    with np.load(tmp_path / "weights.npz", allow_pickle=False) as arrays:
        assert set(arrays) == {*model.params, "run"}
        for name, values in model.params.items():
            np.testing.assert_array_equal(arrays[name], values)
        assert json.loads(str(arrays["run"])) == {"format": 1, "model": asdict(SMALL_MODEL), "epoch": 1}
    loaded = MicroTransformer.load(tmp_path / "weights.npz")
    assert loaded.cfg == model.cfg
    np.testing.assert_array_equal(loaded.theta, model.theta)


def test_weights_that_do_not_fit_their_settings_are_refused(tmp_path: Path) -> None:
    model = run(0).model
    for name, array in {
        "W_U": np.zeros((2, 2), np.float32),
        "embed.tokens": np.zeros_like(model.params["W_U"], int),
    }.items():
        content: dict[str, Any] = model.params | {name: array}
        np.savez(tmp_path / "w.npz", run=json.dumps({"format": 1, "model": asdict(model.cfg)}), **content)
        with pytest.raises(ValueError, match=rf"^w\.npz is not a saved model of microtransformer: {re.escape(name)} "):
            MicroTransformer.load(tmp_path / "w.npz")
    run(0).save(tmp_path / "run.npz")
    with pytest.raises(ValueError, match=r"it lacks embed\.tokens\.$"):
        MicroTransformer.load(tmp_path / "run.npz")


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Trainer.load(tmp_path / "missing.npz")


# Divergence


def diverging(trainer: Trainer, epoch: int, step: str) -> str:
    """The message of the epoch that diverges."""
    rate = f"{trainer.train.learning_rate:g}".replace("+", r"\+")
    with pytest.raises(
        TrainingDiverged, match=rf"at step {step} \(epoch {epoch}\): .*learning rate, {rate}, "
    ) as caught:
        trainer.run_epoch()
    return str(caught.value)


@pytest.mark.parametrize("batch_size", [8, 20])
def test_a_run_goes_on_after_diverging_as_if_it_had_not(batch_size: int) -> None:
    """Also when the *last* step of an epoch goes too far, as the only one does here with batches of 20."""
    cfg, train = replace(SMALL_MODEL, norm="none"), replace(SMALL_RUN, batch_size=batch_size)
    trainer = run(2, cfg, train)
    trainer.change(learning_rate=1e30)
    steps = 2 * trainer.steps_per_epoch
    sentence = diverging(trainer, 3, str(steps + 1 if batch_size == 20 else steps + 2))
    assert "The weights of epoch 2 are kept" in sentence and sentence.endswith(".")
    assert trainer.epoch == 2 and len(trainer.history) == 3
    assert np.isfinite(trainer.model.theta).all()
    assert_same_run(trainer, run(2, cfg, train))
    diverging(trainer, 3, r"\d+")  # and again, from the same place
    trainer.change(learning_rate=1e-3)
    trainer.run_epoch()

    steady = run(2, cfg, train)
    steady.change(learning_rate=1e-3)
    steady.run_epoch()
    assert_same_run(trainer, steady)


def test_a_run_that_diverges_in_its_first_epoch_stands_at_epoch_0() -> None:
    cfg = replace(SMALL_MODEL, norm="none")
    trainer = Trainer(cfg, replace(SMALL_RUN, learning_rate=1e30))
    diverging(trainer, 1, "2")
    assert trainer.epoch == 0
    trainer.change(learning_rate=SMALL_RUN.learning_rate)
    trainer.run_epoch()
    assert_same_run(trainer, run(1, cfg))


def test_every_record_and_weight_of_a_run_is_finite_whatever_the_rate() -> None:
    for rate in (1e-1, 1e1, 1e3, 1e6, 1e12, 1e30):
        for norm in ("pre", "post", "none"):
            trainer = Trainer(
                replace(SMALL_MODEL, norm=norm),  # type: ignore[arg-type]
                replace(SMALL_RUN, learning_rate=rate),
            )
            try:
                for _ in range(3):
                    trainer.run_epoch()
            except TrainingDiverged:
                pass
            assert np.isfinite(trainer.snapshots).all(), (rate, norm)
            assert np.isfinite([(r.ce, r.train_ce) for r in trainer.history]).all(), (rate, norm)


# Changing settings


@pytest.mark.parametrize("name", ["task", "mask", "seed", "train_sequences", "held_out_sequences"])
def test_what_defines_a_run_cannot_change(small_trainer: Trainer, name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name} cannot change during a run; start a new Trainer instead\.$"):
        small_trainer.change(**{name: getattr(SMALL_RUN, name)})


def test_wrong_changes_are_refused_and_leave_the_settings(small_trainer: Trainer) -> None:
    with pytest.raises(ValueError, match=r"^learning_rate must be a finite number greater than 0, but it is 0\.$"):
        small_trainer.change(batch_size=4, learning_rate=0)
    with pytest.raises(ValueError, match=r"^There is no setting 'momentum'; the settings are .*\.$"):
        small_trainer.change(momentum=0.9)
    assert small_trainer.train == SMALL_RUN


def test_the_optimiser_settings_can_change(small_trainer: Trainer) -> None:
    new = {"learning_rate": 1e-4, "beta1": 0.5, "weight_decay": 0.1, "batch_size": 5, "epochs": 80}
    small_trainer.change(**new)
    assert small_trainer.train == replace(SMALL_RUN, **new)  # type: ignore[arg-type]
    small_trainer.run_epoch()
    assert small_trainer.optimiser.t == 4  # 20 sequences in batches of 5


# Adam


@given(st.floats(1e-6, 1.0), st.sampled_from([0.0, 0.5]), st.integers(0, 2**32 - 1))
def test_the_first_step_of_adam_is_the_learning_rate(rate: float, weight_decay: float, seed: int) -> None:
    """theta - lr * sign(g) whatever the size of g, as long as it is far above eps."""
    rng = np.random.default_rng(seed)
    theta = rng.standard_normal(20)
    gradient = rng.choice([-1, 1], 20) * 10.0 ** rng.uniform(-1, 6, 20)
    expected = theta * (1 - rate * weight_decay) - rate * np.sign(gradient)
    kept = gradient.copy()
    Adam(theta).step(theta, gradient, TrainConfig(learning_rate=rate, weight_decay=weight_decay))
    np.testing.assert_allclose(theta, expected, rtol=0, atol=1e-6 * rate)
    np.testing.assert_array_equal(gradient, kept)


def test_adam_without_a_gradient_only_decays() -> None:
    theta = np.ones(3)
    adam = Adam(theta)
    for _ in range(5):
        adam.step(theta, np.zeros(3), TrainConfig(learning_rate=0.1, weight_decay=0.5))
    np.testing.assert_allclose(theta, 0.95**5, rtol=1e-15)


def test_adam_reaches_the_bottom_of_a_bowl() -> None:
    """Of sum(c (theta - goal)^2), with curvatures c that differ by four orders of magnitude."""
    goal, curvature = np.array([1.0, -2.0, 3.0]), np.array([1e-2, 1.0, 1e2])
    theta = np.zeros(3)
    adam = Adam(theta)
    for step in range(2000):
        rate = 0.05 * (1 - step / 2000)
        adam.step(theta, 2 * curvature * (theta - goal), TrainConfig(learning_rate=rate))
    np.testing.assert_allclose(theta, goal, rtol=0, atol=1e-3)
