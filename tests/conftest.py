"""In which order tests run, and which of them run alone, when two workers share them (see web/build/testing.py)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

if sys.platform not in ("win32", "emscripten"):  # where there is one worker only
    import fcntl

pytest.register_assert_rewrite("trainer_page")  # so that a failing check in it shows what it has compared


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first, so that no worker begins one when the other has run out; files to run alone last."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    alone = {item.path for item in items if item.get_closest_marker("alone")}
    items.sort(key=lambda item: (item.path in alone, item.path not in slow))  # stable: within a file nothing moves


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A test marked `alone` waits until no other runs, and those of the other worker wait for it."""
    if not hasattr(item.config, "workerinput"):
        return (yield)
    with turn(item.config.rootpath / ".build", alone=item.get_closest_marker("alone") is not None):
        return (yield)


@contextmanager
def turn(folder: Path, alone: bool) -> Iterator[None]:
    """Be in the room: with others, or alone. Who waits at the door lets nobody past, so that it does become empty."""
    folder.mkdir(exist_ok=True)
    with (folder / "door").open("w") as door, (folder / "room").open("w") as room:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        yield
