"""The offline copy: the whole page in one HTML file that opens from the disk, trains, and asks nobody for anything.

The article stands in it in the clear. All other files are in two archives (XZ), whose bytes stand in script elements as
the characters of windows-1252; src/offline/loader.js gives them addresses. So everything else in the file is ASCII.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

from web.build.archive import CODE, Files, as_text, xz
from web.build.project import WORK, BuildError, pyproject
from web.build.stamps import step

NAME = "transformer-playground.html"
ENGINE = WORK / "offline" / "engine.html"

ROOT = re.compile('<html lang="en">')
CHARSET = re.compile('<meta charset="utf-8">')
CONFIG = re.compile(r'(<script type="application/json" id="site-config">)(.*?)(</script>)', re.DOTALL)
STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
ICON = re.compile(r'<link rel="icon" href="([^"]+)" type="([^"]+)">')
APP = re.compile(r'<script type="module" src="([^"]+)"></script>\n?')
FONT = re.compile(r'url\("\./([^"]+)"\)')
LINK = re.compile(r'<a(?: download)? href="(?![\w+.-]+:|#)([^"]+)"')
KEEP = re.compile(r'[ \t]*<p class="keep">.*?</p>\n?', re.DOTALL)


def write_offline(site: Path, bundle: Path, text: str) -> None:
    """Write the copy into the site's folder; `text` is the article's page, `bundle` the folder with the loader."""
    config = json.loads(_only(CONFIG, text)[2])
    packed: Files = {}
    files: Files = {}
    for file in config["runtime"]["files"]:
        data = (site / file["url"]).read_bytes()
        small = file["role"] == "loops" or file["name"] == "microtransformer.wasm"
        (files if small else packed)[file["name"]] = data  # the small ones change more often
        file["url"], file["gzipped"] = f"packed:{file['name']}", 0  # nothing is transferred
    for url in config["recorded"].values():
        files[url] = (site / url).read_bytes()
    for url in config["figures"].values():
        recording = json.loads((site / url).read_bytes())
        files[url] = _json(recording | {"html": ""}).encode()  # it stands in the article
    files["app.js"] = _without_map((site / _only(APP, text)[1]).read_bytes())
    files["worker.js"] = (bundle / "worker.js").read_bytes()
    config["worker"] = "worker.js"
    config["wheel"] = Path(config["wheel"]).name  # named in a line of shell, and no address in this page

    def carried(match: re.Match[str]) -> str:
        """A link within the site: to a file that the copy carries, or the copy would have a dead link."""
        if not (site / match[1]).is_file():
            raise BuildError(f"The article links to {match[1]}, which is not a file of the site.")
        data = (site / match[1]).read_bytes()
        files[match[1]] = _stored(data) if match[1].endswith(".whl") else data
        return f'<a data-file="{match[1]}"'

    said = f"This is the offline copy of version {version()}. It needs no network."
    text = LINK.sub(carried, without_keep(text, said))
    loader = (bundle / "loader.js").read_text(encoding="ascii").strip()
    style = _style(site / _only(STYLE, text)[1])
    text = _put(ROOT, lambda _: '<html lang="en" data-copy>', text)  # src/share/site.js asks for it
    text = _put(APP, lambda _: "", text)
    text = _put(ICON, lambda match: f'<link rel="icon" href="{_data(site / match[1], match[2])}">', text)
    text = _put(STYLE, lambda _: f"<style>{style}</style>", text)
    text = _put(CONFIG, lambda match: match[1] + _json(config).replace("<", "\\u003c") + match[3], text)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy(loader, style)}">'
    text = _put(CHARSET, lambda _: f'<meta charset="windows-1252">\n{policy}', text)
    before, after = text.split("</body>")
    archives = _element("page-files", files) + _engine(packed)
    whole = _ascii(before) + archives + _ascii(f"<script>{loader}</script>\n</body>{after}")
    (site / NAME).write_bytes(whole)


def version() -> str:
    return str(pyproject()["project"]["version"])


def without_keep(text: str, said: str) -> str:
    """The page without its paragraphs on how to keep it; the first one's place takes a sentence on what it is."""
    first = iter([f'  <p class="keep">{said}</p>\n'])
    return KEEP.sub(lambda _: next(first, ""), text)


def _stored(wheel: bytes) -> bytes:
    """The wheel without compression of its own: its sources are in the archive already, and so take next to no room."""
    written = io.BytesIO()
    with ZipFile(io.BytesIO(wheel)) as compressed, ZipFile(written, "w") as stored:
        for entry in compressed.infolist():
            content = compressed.read(entry)
            entry.compress_type = ZIP_STORED
            stored.writestr(entry, content)
    return written.getvalue()


def _engine(files: Files) -> bytes:
    """The large archive. It takes half a minute, and changes with Pyodide and NumPy only."""

    def make() -> None:
        ENGINE.parent.mkdir(parents=True, exist_ok=True)
        ENGINE.write_bytes(_element("engine-files", files))

    hashes = [hashlib.sha256(data).hexdigest() for data in files.values()]
    step(
        "offline engine",
        inputs=[CODE, *files, *hashes],
        outputs=[ENGINE],
        action=make,
        announce="compressing it for the offline copy",
    )
    return ENGINE.read_bytes()


def _element(id: str, files: Files) -> bytes:
    """A script element that the browser leaves alone, with the archive of the files."""
    text, block = as_text(xz(files))
    contents = html.escape(_json([[name, len(data)] for name, data in files.items()]))
    start = f'<script type="text/plain" id="{id}" data-block="{block}" data-contents="{contents}">'
    return start.encode("ascii") + text + b"</script>\n"


def _policy(script: str, style: str) -> str:
    """A Content Security Policy under which nothing can be asked for: all that is used is in the file."""
    return (
        f"default-src 'none'; script-src {_hash(script)} blob: 'wasm-unsafe-eval'; style-src {_hash(style)}; "
        "img-src data: blob:; font-src data:; connect-src 'self' blob:; worker-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    """As a Content Security Policy names an element's text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('ascii')).digest()).decode()}'"


def _style(file: Path) -> str:
    """The site's style without a file beside it: the font is needed at once, or formulas would be set anew."""
    css = _without_map(file.read_bytes()).decode()
    css = FONT.sub(lambda match: f"url({_data(file.parent / match[1], 'font/woff2')})", css)
    return re.sub(r"[^\0-\x7f]", lambda match: f"\\{ord(match[0]):x} ", css).strip()


def _data(file: Path, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(file.read_bytes()).decode()}"


def _without_map(source: bytes) -> bytes:
    """Without the comment that names a source map."""
    return re.sub(rb"\n?(//# sourceMappingURL=\S+|/\*# sourceMappingURL=\S+ \*/)\s*$", b"", source)


def _only(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = list(pattern.finditer(text))
    if len(found) != 1:
        raise BuildError(f"The article has {len(found)} matches of {pattern.pattern}; the offline copy needs one.")
    return found[0]


def _put(pattern: re.Pattern[str], new: Callable[[re.Match[str]], str], text: str) -> str:
    """The text with the one match replaced."""
    match = _only(pattern, text)
    return text[: match.start()] + new(match) + text[match.end() :]


def _ascii(text: str) -> bytes:
    """HTML in ASCII: character references for all other letters."""
    return text.encode("ascii", "xmlcharrefreplace")


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))
