"""The files from which the page's engine starts, as the built page lists them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any


def engine_files(site: Path) -> list[dict[str, Any]]:
    """Their descriptions, with addresses relative to the site; `site` is a folder with the built page."""
    html = (site / "index.html").read_text("utf-8")
    found = re.search(r'<script type="application/json" id="site-config">(.*?)</script>', html, re.DOTALL)
    if not found:
        raise RuntimeError("The built page holds no site-config; tests/bench/engine_files.py must follow.")
    files: list[dict[str, Any]] = json.loads(found[1])["runtime"]["files"]
    return files
