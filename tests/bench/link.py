"""A server behind a slow link: bodies in brotli, a round trip per request, and a shared rate.

Chromium's own throttling leaves out what a worker fetches, so the link is here. It is simple and the same for all: one
token bucket for all connections, one round trip before every answer and a second one on a new connection (HTTP/1.1
with keep-alive, up to six connections). There is no slow start, no loss and no TLS.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import threading
import time
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path

from web.build.project import WORK
from web.build.server import Handler, Site

ROUND_TRIP = 0.05
"""Seconds."""

RATE = 10e6 / 8
"""Bytes per second: 10 Mbit/s."""

PIECE = 4096
"""Bytes handed to the link at a time; between two pieces another connection has its turn."""

FOLDER = WORK / "brotli"
COMPRESS = """
const { readFileSync, writeFileSync } = require("node:fs");
const { brotliCompressSync, constants } = require("node:zlib");
const [out, ...files] = process.argv.slice(1);
for (const file of files) {
  const [path, name] = file.split("|");
  const data = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: data.length };
  writeFileSync(`${out}/${name}`, brotliCompressSync(data, { params }));
}
"""


class Link:
    """A rate that all connections share, and a count of the bytes of all bodies."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free = 0.0
        self.bytes = 0

    def carry(self, size: int) -> None:
        """Wait until so many bytes have gone through."""
        with self._lock:
            now = time.perf_counter()
            self._free = max(now, self._free) + size / RATE
            wait = self._free - now
        time.sleep(wait)


class Pipe(io.RawIOBase):
    """A connection's end, through which everything goes at the link's rate."""

    def __init__(self, to: io.BufferedIOBase, link: Link) -> None:
        self._to, self._link = to, link

    def writable(self) -> bool:
        """It is for writing only."""
        return True

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override]
        """Piece by piece."""
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self._link.carry(len(piece))
            self._to.write(piece)
        return len(data)


class SlowHandler(Handler):
    """Answers like the site's own server, later and in brotli."""

    server: SlowSite
    timeout = None  # type: ignore[assignment] # an idle connection of a waiting page stays

    def setup(self) -> None:
        """A new connection costs a round trip of its own."""
        super().setup()
        self.wfile = Pipe(self.wfile, self.server.link)  # type: ignore[assignment]
        time.sleep(ROUND_TRIP)

    def _answer(self, status: HTTPStatus, path: str, body: bytes, extra: dict[str, str] | None = None) -> None:
        time.sleep(ROUND_TRIP)
        headers = {**(extra or {})}
        if status == HTTPStatus.OK and "br" in self.headers.get("Accept-Encoding", ""):
            body, headers = brotli(body), {**headers, "Content-Encoding": "br", "Vary": "Accept-Encoding"}
        if status == HTTPStatus.OK:
            self.server.link.bytes += len(body)
        super()._answer(status, path, body, headers)


class SlowSite(Site):
    """The folder behind the link."""

    def __init__(self, root: Path) -> None:
        self.link = Link()
        super().__init__(root, "127.0.0.1", 0)
        self.RequestHandlerClass = SlowHandler

    def forget(self) -> None:
        """Count from zero."""
        self.link.bytes = 0


def compress(files: Iterable[Path]) -> None:
    """Have brotli (quality 11) of every file ready; kept by hash, for the largest take a minute."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = {_name(file.read_bytes()): file for file in files}
    missing = [f"{file}|{name}" for name, file in wanted.items() if not (FOLDER / name).is_file()]
    if missing:
        subprocess.run([os.environ["NODE"], "-e", COMPRESS, FOLDER, *missing], check=True)


def brotli(data: bytes) -> bytes:
    """As `compress` has made it."""
    return (FOLDER / _name(data)).read_bytes()


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
