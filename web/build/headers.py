"""The response headers of netlify.toml, so that the local server answers as the published site does."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from web.build.project import ROOT


@dataclass(frozen=True)
class Rule:
    """One [[headers]] block."""

    path: re.Pattern[str]
    values: dict[str, str]


def read_rules(file: Path = ROOT / "netlify.toml") -> list[Rule]:
    """The file's [[headers]] blocks in their order."""
    blocks = tomllib.loads(file.read_text(encoding="utf-8")).get("headers", [])
    return [Rule(_pattern(block["for"]), dict(block["values"])) for block in blocks]


def headers_for(path: str, rules: list[Rule]) -> dict[str, str]:
    """Every header that the rules give this URL path; of two values for one header the later block's."""
    merged: dict[str, str] = {}
    for rule in rules:
        if rule.path.fullmatch(path):
            merged |= rule.values
    return merged


def _pattern(glob: str) -> re.Pattern[str]:
    """As Netlify reads it: `*` stands for any characters, `:name` for one part of the path; letters of either case."""
    parts = re.split(r"(\*|(?<=/):\w+)", glob.rstrip("/") or "/")
    regex = {"*": ".*"}
    text = "".join(regex.get(part, "[^/]+" if part.startswith(":") else re.escape(part)) for part in parts)
    return re.compile(f"{text}/?", re.IGNORECASE)
