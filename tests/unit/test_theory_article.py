"""All numbers of the article together: plain values, one seed one result."""

from __future__ import annotations

import json
from typing import Any

import pytest

from microtransformer import theory
from microtransformer.theory import article


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deep models take most of the time, and have tests of their own."""
    monkeypatch.setattr(article, "DEPTH", 2)


def kinds(value: Any) -> set[type]:
    if isinstance(value, dict):
        return set().union(*(kinds(key) | kinds(item) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return set().union(*(kinds(item) for item in value)) if value else set()
    return {type(value)}


@pytest.mark.usefixtures("shallow")
def test_the_numbers_are_plain_values() -> None:
    numbers = theory.numbers()
    assert kinds(numbers) <= {int, float, str, bool, type(None)}
    assert json.loads(json.dumps(numbers, allow_nan=False)) == numbers
    assert list(numbers) == ["lookup", "shapes", "spread", "jacobian", "mask", "flops", "depth"]


@pytest.mark.usefixtures("shallow")
def test_one_seed_gives_one_result() -> None:
    numbers = theory.numbers(3)
    assert numbers == theory.numbers(3)
    other = theory.numbers(4)
    assert numbers["spread"] != other["spread"] and numbers["depth"] != other["depth"]
    assert numbers["flops"] == other["flops"]


@pytest.mark.usefixtures("shallow")
def test_in_words_shows_every_figure() -> None:
    text = theory.in_words(theory.numbers())
    for fact in ("cat  6.000", " 11.314 ", "85.7% linear, 57.1% feedforward, equal at T = 24,576", "73,728"):
        assert fact in text, fact
    assert "Gradient of an untrained model through 2 layers" in text
