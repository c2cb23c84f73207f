"""Files in one compressed archive, and its bytes as text within a page; src/offline/archive.js reads both."""

from __future__ import annotations

from pathlib import Path

from web.build.project import BuildError

CODE = Path(__file__)

Files = dict[str, bytes]
"""Name -> content, in the order in which they are unpacked."""

FORBIDDEN = b"\0\r<"
"""What the HTML parser changes within a script element, and what may end it."""

ADDED = [byte for byte in range(256) if byte not in FORBIDDEN]
CHANGE = {added: bytes((byte + added) % 256 for byte in range(256)) for added in ADDED}
BARRED = {added: frozenset((bad - added) % 256 for bad in FORBIDDEN) for added in ADDED}
"""For each byte that may be added: what it makes of a byte, and the bytes that it would make forbidden ones."""

SIZES = (*range(304, 85, -16), 85)
"""Bytes in a block, the added one included, in the order in which they are tried. The last one always works: 84 bytes
bar at most 3 x 84 of the 253 that may be added."""


def xz(files: Files) -> bytes:
    """All contents in one stream. Chosen by measuring: no alignment (pb=0), a dictionary that holds everything."""
    try:
        import lzma
    except ImportError:
        raise BuildError("The offline copy needs a Python with the module lzma; this one was built without.") from None
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0, "dict_size": 1 << 25}]
    return lzma.compress(b"".join(files.values()), check=lzma.CHECK_CRC32, filters=filters)


def as_text(data: bytes) -> tuple[bytes, int]:
    """The bytes without the forbidden ones, and the size of a block.

    To the bytes of each block one is added (modulo 256) that keeps the forbidden ones out, and it stands before them:
    the larger the blocks, the fewer bytes are added.
    """
    for size in SIZES:
        step = size - 1
        blocks = []
        for start in range(0, len(data), step):
            block = _shifted(data[start : start + step])
            if not block:
                break
            blocks.append(block)
        else:
            return b"".join(blocks), size
    raise AssertionError("Unreachable, see SIZES.")


def _shifted(data: bytes) -> bytes:
    """The added byte and the block; empty where every byte would bring a forbidden one in."""
    used = set(data)
    for added in ADDED:
        if used.isdisjoint(BARRED[added]):
            return bytes([added]) + data.translate(CHANGE[added])
    return b""
