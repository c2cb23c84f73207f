"""An `.npz` file with a JSON text `run` beside its arrays: written, and read with care.

Whoever opens a file may not know who wrote it. So nothing is unpickled or parsed as Python, no array is allocated
before it is known that the file holds as many bytes as the array says, and no JSON is read that is nested so deeply
that reading it would use up the stack, which ends Python in a browser.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from contextlib import nullcontext
from io import BytesIO
from itertools import accumulate
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

File = str | PathLike[str] | BinaryIO
Result = TypeVar("Result")

FORMAT = 1
"""Raised when the meaning of a file changes; a number that is not known is refused."""

LARGEST = 2**30
"""Bytes that a file may unpack to."""

DEEPEST = 8
"""Levels of the JSON text; a run has 4."""

HEADER = re.compile(rb"\{'descr': '([<>|=]?\w+)', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), \} *\n")
"""How `numpy.save` describes a plain array."""


def write(file: File, run: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    """Write the arrays, and `run` with the format's number as JSON."""
    contents: dict[str, Any] = arrays | {"run": np.array(json.dumps({"format": FORMAT} | run))}
    # An open file, because np.savez would add ".npz" to a path that lacks it.
    with open(file, "wb") if isinstance(file, (str, PathLike)) else nullcontext(file) as out:
        np.savez_compressed(out, **contents)


class Archive:
    """What such a file holds. Raises `ValueError` and others, which `read` makes a sentence of."""

    def __init__(self, content: bytes, largest: int) -> None:
        if not content.startswith(b"PK"):
            raise ValueError("it is no .npz archive")
        self._zip = ZipFile(BytesIO(content))
        unpacked = sum(entry.file_size for entry in self._zip.infolist())
        if unpacked > largest:
            raise ValueError(f"it unpacks to {unpacked:,} bytes, and at most {largest:,} are read")
        self.run: dict[str, Any] = parsed(str(self.array("run")))
        if self.run.get("format") != FORMAT:
            raise ValueError(f"its format is {self.run.get('format')}, and this version reads format {FORMAT} only")

    def array(self, name: str) -> NDArray[Any]:
        """The array of a name."""
        if f"{name}.npy" not in self._zip.namelist():
            raise KeyError(name)
        data = self._zip.read(f"{name}.npy")
        start = 10 + int.from_bytes(data[8:10], "little")
        described = HEADER.fullmatch(data[10:start])
        if data[:8] != b"\x93NUMPY\x01\x00" or described is None:
            raise ValueError(f"{name} is no plain array")
        dtype = np.dtype(described[1].decode())
        shape = tuple(int(size) for size in described[3].split(b",") if size.strip())
        if dtype.hasobject:
            raise ValueError(f"{name} holds Python objects")
        if start + prod(shape) * dtype.itemsize != len(data):
            raise ValueError(f"{name} does not hold as many numbers as its shape {shape} has")
        flat = np.frombuffer(data, dtype, prod(shape), start)
        return flat.reshape(shape, order="F" if described[2] == b"True" else "C").copy()


def parsed(text: str) -> Any:
    """The value of a JSON text that someone else may have written."""
    outside_strings = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    levels = accumulate((c in "[{") - (c in "]}") for c in outside_strings)
    if max(levels, default=0) > DEEPEST:
        raise ValueError("its text is nested too deeply")
    return json.loads(text)


def read(file: File, what: str, build: Callable[[Archive], Result], largest: int = LARGEST) -> Result:
    """What `build` makes of the file. `ValueError` with a sentence that it is not `what`, if it cannot."""
    if isinstance(file, (str, PathLike)):
        name, content = Path(file).name, Path(file).read_bytes()
    else:
        name, content = "The file", file.read()
    try:
        return build(Archive(content, largest))
    # RuntimeError: an encrypted entry, or an unknown compression.
    except (
        BadZipFile, zlib.error, EOFError, AttributeError, LookupError, RuntimeError, TypeError, ValueError,
    ) as error:  # fmt: skip
        reason = f"it lacks {error.args[0]}" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise ValueError(f"{name} is not {what}: {reason}.") from error
