"""The whole site in one ZIP file, which any static host can serve from any folder."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

NAME = "transformer-playground-site.zip"


def write_zip(site: Path, pages: dict[str, str], without: set[str]) -> None:
    """Write it into the site's folder: its files but for source maps and `without`; `pages` are put in anew."""
    files = [path for path in sorted(site.rglob("*")) if path.is_file() and path.suffix != ".map"]
    with ZipFile(site / NAME, "w") as archive:
        for path in files:
            name = path.relative_to(site).as_posix()
            if name in without | {NAME}:
                continue
            data = pages[name].encode() if name in pages else path.read_bytes()
            # One date for all, so that the same site has the same bytes.
            entry = ZipInfo(f"transformer-playground/{name}", (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data, ZIP_DEFLATED)
