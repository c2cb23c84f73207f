"""The questions of the page's figures: by name, JSON in and out, the same answers as the functions themselves."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from small_run import SMALL_MODEL, SMALL_RUN

from microtransformer import Trainer, questions, tasks, theory
from microtransformer.playground import Playground
from microtransformer.theory.plain import plain


@pytest.fixture(scope="module")
def trainer() -> Trainer:
    trainer = Trainer(SMALL_MODEL, SMALL_RUN)
    trainer.run_epoch()
    return trainer


def probe(trainer: Trainer) -> str:
    return tasks.decode(trainer.held_out_tokens[0])


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value, allow_nan=False))


FREE: dict[str, dict[str, Any]] = {
    "lookup": {"token": 2},
    "score_spread": {"d_k": 8},
    "jacobian_picture": {"scores": [1, 0, -1], "scale": 2},
    "masked_softmax": {"scores": [[1, 2], [3, 4]]},
    "flops_picture": {"T": 16, "key": "gpt2"},
    "gradient_picture": {"n_layers": 2, "d_model": 8},
}


def test_every_question_without_a_model_is_asked_here() -> None:
    assert set(FREE) == set(questions.FREE)


@pytest.mark.parametrize("name", FREE)
def test_a_question_is_answered_as_the_function_does(name: str) -> None:
    answer = json.loads(Playground().ask(name, json.dumps(FREE[name])))
    assert answer == as_json(getattr(theory, name)(**FREE[name]))


def test_an_opened_row_has_its_tensors_and_how_a_cell_was_made(trainer: Trainer) -> None:
    word = probe(trainer)

    def ask(ids: list[str], **more: Any) -> Any:
        answer = questions.answer_about(trainer, 1, "opened", {"probe": word, "ids": ids, **more})
        assert as_json(answer) == answer
        return answer

    closed = ask([])
    assert closed["sizes"] == {"B": 1, "T": 3, "d": 8, "H": 2, "d_k": 4, "f": 12, "V": 3}
    assert closed["layers"] == 1 and closed["allowed"] == [[True] * 3] * 3
    assert closed["tensors"] == {} and closed["made"] is None
    model = trainer.model_at(1)
    trace = model.trace(trainer.held_out_tokens[:1], trainer.mask)
    for id, index in (("S", [1, 2, 0]), ("O", [1, 2, 3]), ("Y", [2, 7]), ("P", [1, 2, 0])):
        answer = ask([id], index=index)
        assert answer["tensors"] == {id: plain(trace[f"layers.0.{id}"][0])}
        at = [0, *index]
        made = theory.explain_weight(trace, at) if id == "P" else theory.explain_cell(model, trace, id, at)
        assert answer["made"] == made
        assert np.array(answer["tensors"][id])[tuple(index)] == made["value"]
    weights = ask(["W_Q", "W_K"])["tensors"]
    assert list(weights) == ["W_Q", "W_K"] and weights["W_Q"] == model.params["layers.0.W_Q"].tolist()
    with pytest.raises(ValueError, match="A cell belongs to one tensor, but 2 are asked for"):
        ask(["S", "P"], index=[0, 0, 0])
    with pytest.raises(ValueError, match="tensor must be one of S, O, Y"):
        ask(["X"], index=[0, 0])


def test_the_shapes_and_settings_of_a_run_are_those_of_its_model(trainer: Trainer) -> None:
    assert questions.answer_about(trainer, 1, "shapes_of_run", {}) == theory.shapes_table(SMALL_MODEL)
    settings = questions.answer_about(trainer, 0, "settings_of_run", {})
    assert settings == {"model": asdict(SMALL_MODEL), "train": asdict(SMALL_RUN)}
    assert as_json(settings) == settings


def test_spread_and_change_are_those_of_the_run(trainer: Trainer) -> None:
    model = trainer.model_at(1)
    spread = questions.answer_about(trainer, 1, "score_spread_of_run", {})
    mask = trainer.train.mask
    assert spread == theory.model_score_spread(model, trainer.held_out_tokens[: questions.SAMPLE], mask)
    change = questions.answer_about(trainer, 1, "change_token", {"probe": probe(trainer), "position": 0})
    assert change == theory.change_token(model, trainer.held_out_tokens[0].tolist(), mask, 0)


@pytest.mark.parametrize("mask", ["bidirectional", "causal"])
def test_a_token_is_changed_under_either_mask(trainer: Trainer, mask: str) -> None:
    asked = {"probe": probe(trainer), "position": 1, "mask": mask}
    change = questions.answer_about(trainer, 1, "change_token", asked)
    assert change == theory.change_token(trainer.model_at(1), trainer.held_out_tokens[0].tolist(), mask, 1)
    assert [moved > 0 for moved in change["change"]] == [mask == "bidirectional", True, True]
    with pytest.raises(ValueError, match=r"^mask must be one of bidirectional, causal, but it is ''\.$"):
        questions.answer_about(trainer, 1, "change_token", asked | {"mask": ""})


def test_wrong_questions_are_refused(trainer: Trainer) -> None:
    with pytest.raises(ValueError, match="The question must be one of"):
        questions.answer("open", {})
    with pytest.raises(ValueError, match="The question must be one of"):
        questions.answer_about(trainer, 1, "lookup", {})
    with pytest.raises(ValueError, match="A tensor must be one of"):
        questions.answer_about(trainer, 1, "opened", {"probe": probe(trainer), "ids": ["Z!"]})
    with pytest.raises(IndexError):
        questions.answer_about(trainer, 99, "score_spread_of_run", {})


def test_a_run_is_needed_for_a_question_about_one() -> None:
    with pytest.raises(RuntimeError, match="No run has been started"):
        Playground().ask_about(0, "score_spread_of_run", "{}")
