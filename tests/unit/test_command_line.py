"""`python -m microtransformer`: what it prints and writes, and how it answers wrong arguments."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from small_run import SMALL_MODEL, SMALL_RUN

import microtransformer
from microtransformer import Trainer, limits, masks, tasks, theory
from microtransformer.__main__ import main

SMALL = [
    f"--{name.replace('_', '-')}={value}"
    for name, value in (asdict(SMALL_MODEL) | asdict(SMALL_RUN)).items()
    if type(value) is not bool
]
"""The options of `small_run`."""


class Answer(NamedTuple):
    code: int
    out: str
    err: str


Command = Callable[..., Answer]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command as a user would: in a process of its own, or, where there are none, through `main`."""

    def in_a_process(*arguments: str) -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "microtransformer", *arguments],
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "200"},
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def in_pyodide(*arguments: str) -> Answer:
        try:
            code = main(arguments)
        except SystemExit as exit:
            code = int(exit.code or 0)
        return Answer(code, *capsys.readouterr())

    return in_pyodide if sys.platform == "emscripten" else in_a_process


def a_run(epochs: int) -> Trainer:
    trainer = Trainer(SMALL_MODEL, SMALL_RUN)
    for _ in range(epochs):
        trainer.run_epoch()
    return trainer


def test_train_prints_a_row_per_epoch_with_the_limits_beside_the_scores(command: Command) -> None:
    answer = command("train", *SMALL, "--mask=causal", "--task=sort", "--epochs=3")
    assert (answer.code, answer.err) == (0, "")
    trainer = Trainer(SMALL_MODEL, replace(SMALL_RUN, mask="causal", task="sort"))
    limit = limits.bayes_limit("sort", "causal", 3, 3)
    rows = [line for line in answer.out.splitlines() if re.match(r" *\d+/3 ", line)]
    assert len(rows) == 4
    for epoch, row in enumerate(rows):
        record = trainer.run_epoch() if epoch else trainer.history[0]
        counter, bar, train_ce, ce, ce_limit, accuracy, accuracy_limit, exact = row.split()
        assert counter == f"{epoch}/3"
        assert bar.count("█") + bar.count("░") == len(bar) and bar.count("█") == len(bar) * epoch // 3
        assert (train_ce, ce, ce_limit) == (f"{record.train_ce:.4f}", f"{record.ce:.4f}", f"{limit.ce:.4f}")
        assert (accuracy, accuracy_limit) == (f"{record.accuracy:.2%}", f"{limit.accuracy:.2%}")
        assert exact == f"{record.exact_match:.2%}"
    header = next(line for line in answer.out.splitlines() if line.startswith("epoch"))
    assert header.split() == ["epoch", "train", "CE", "CE", "limit", "accuracy", "limit", "exact"]


def test_train_writes_what_it_did(command: Command, tmp_path: Path) -> None:
    json_file, npz_file = tmp_path / "run.json", tmp_path / "run.npz"
    answer = command("train", *SMALL, "--epochs=2", f"--json={json_file}", f"--npz={npz_file}")
    assert (answer.code, answer.err) == (0, "")
    expected = a_run(2)

    written = json.loads(json_file.read_text(encoding="utf-8"))
    assert written["model"] == asdict(SMALL_MODEL)
    assert written["train"] == asdict(SMALL_RUN) | {"epochs": 2}
    assert (written["format"], written["limit"]["ce"]) == (1, 0)
    assert [record["epoch"] for record in written["history"]] == [0, 1, 2]

    loaded = Trainer.load(npz_file)
    assert loaded.epoch == 2
    assert json.loads(json.dumps([asdict(record) for record in loaded.history])) == written["history"]
    # One machine and one seed: the process and this one agree to the last bit.
    assert loaded.history == expected.history
    np.testing.assert_array_equal(loaded.model.theta, expected.model.theta)
    loaded.run_epoch()
    expected.run_epoch()
    np.testing.assert_array_equal(loaded.model.theta, expected.model.theta)


def test_switches_can_be_turned_off(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    options = ["--no-positions", "--no-scale-scores", "--norm=post", "--epochs=1", f"--json={file}"]
    assert command("train", *SMALL, *options).code == 0
    model = json.loads(file.read_text(encoding="utf-8"))["model"]
    assert (model["positions"], model["scale_scores"], model["norm"]) == (False, False, "post")


def test_limits_prints_a_row_per_task_and_mask(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "limits.json"
    answer = command("limits", f"--json={file}")
    assert (answer.code, answer.err) == (0, "")
    rows = [line.split() for line in answer.out.splitlines() if line.split()[:1] and line.split()[0] in tasks.TASKS]
    assert [row[:2] for row in rows] == [[task, mask] for task in tasks.TASKS for mask in masks.MASKS]
    assert ["reverse", "causal", "1.03972", "56.250%", "12.50%", "12.50%", "100.00%", "100.00%"] in rows
    assert ["sort", "causal", "0.81617", "66.260%", "46.78%", "52.39%", "65.87%", "100.00%"] in rows
    for entry in json.loads(file.read_text(encoding="utf-8")):
        limit = asdict(limits.bayes_limit(entry.pop("task"), entry.pop("mask")))
        assert entry == json.loads(json.dumps(limit))


def test_limits_of_another_size(command: Command) -> None:
    answer = command("limits", "--vocab-size=2", "--seq-len=2")
    assert answer.code == 0
    assert re.search(r"reverse +causal +0\.34657 +75\.000% +50\.00% +100\.00%", answer.out)  # ln(2)/2


def test_theory_prints_the_numbers_and_writes_them(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "theory.json"
    answer = command("theory", "--seed=2", f"--json={file}")
    assert (answer.code, answer.err) == (0, "")
    written = json.loads(file.read_text(encoding="utf-8"))
    assert answer.out == theory.in_words(written) + "\n"
    assert written["spread"] == theory.spread_by_width(seed=2)
    assert written["flops"]["crossover"] == 24_576


def test_version(command: Command) -> None:
    answer = command("--version")
    assert (answer.code, answer.out.strip()) == (0, microtransformer.__version__)


@pytest.mark.parametrize("name", ["train", "limits"])
def test_help_names_every_option_and_its_default(command: Command, name: str) -> None:
    answer = command(name, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert "--json" in answer.out and "--vocab-size" in answer.out
    if name == "train":
        assert re.search(r"--learning-rate LEARNING_RATE\s+default: 0\.001", answer.out)


WRONG = [
    ((), "command"),
    (("trian",), "trian"),
    (("train", "--task=rotate"), "rotate"),
    (("train", "--mask=diagonal"), "diagonal"),
    (("train", "--epochs=0"), "epochs must be from 1 to 10,000, but it is 0"),
    (("train", "--epochs=many"), "many"),
    (("train", "--learning-rate=-1"), "learning_rate must be a finite number greater than 0, but it is -1.0"),
    (("train", "--n-heads=5"), "n_heads must divide d_model"),
    (("train", "--colour=blue"), "--colour=blue"),
    (("limits", "--vocab-size=26", "--seq-len=8"), "sequences are too many to list"),
    (("theory", "--seed=-1"), "seed must be from 0 to 4,294,967,295, but it is -1"),
]


@pytest.mark.parametrize(("arguments", "cause"), WRONG, ids=[" ".join(words) or "nothing" for words, _ in WRONG])
def test_wrong_arguments_get_one_sentence_and_exit_code_2(
    command: Command, arguments: tuple[str, ...], cause: str
) -> None:
    answer = command(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert cause in answer.err
    assert re.fullmatch(r"microtransformer[^\n]*: [^\n]*[^.]\. See microtransformer[^\n]* --help\.\n", answer.err)


@pytest.mark.parametrize("option", ["--json", "--npz"])
def test_a_file_that_cannot_be_written_is_named(command: Command, option: str, tmp_path: Path) -> None:
    file = tmp_path / "missing" / "run"
    answer = command("train", *SMALL, "--epochs=1", f"{option}={file}")
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert f"{file} cannot be written: " in answer.err
    assert "Traceback" not in answer.err
    assert answer.out == ""  # refused before the training, not after it


def test_train_leaves_the_limit_open_where_the_sequences_are_too_many_to_count(command: Command) -> None:
    answer = command("train", "--vocab-size=26", "--d-model=4", "--d-ff=4", "--train-sequences=8", "--epochs=1")
    assert answer.code == 0
    row = next(line.split() for line in answer.out.splitlines() if line.lstrip().startswith("1/1"))
    assert (row[4], row[6]) == ("-", "-")


def test_a_diverging_run_ends_with_exit_code_1_and_the_reason(command: Command) -> None:
    answer = command("train", *SMALL, "--norm=none", "--learning-rate=1e30", "--epochs=3")
    assert answer.code == 1
    assert re.fullmatch(r"The loss was nan at step 2 \(epoch 1\): [^\n]*learning rate, 1e\+30, [^\n]*\.\n", answer.err)
    assert re.search(r"^ *0/3 ", answer.out, re.M)  # what was reached is still shown
