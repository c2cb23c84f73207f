"""Put dist/ together: pages, bundle, runtime and recorded runs; all of it or nothing."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
import shutil
from pathlib import Path
from typing import Any

from web.build import archive, bundle, figures, measuring, offline, recordings, site_zip
from web.build.environment import PYTHON
from web.build.facts import facts
from web.build.notices import TEXTS, notices
from web.build.packs import FORMAT, SCRIPT, ensure_packs
from web.build.pages import finished
from web.build.project import DIST, WEB, WORK, BuildError, run
from web.build.runtime import MANIFEST, runtime_files
from web.build.stamps import step

STATIC = WEB / "static"  # copied as it is to the top of the site
ARTICLE = WEB / "article"  # the sections of the article, one file each
SIZE = re.compile(r'<data data-size-of="([^"]+)"></data>')  # in the page: to be filled with the size of that file
NEXT, OLD = WORK / "dist-next", WORK / "dist-old"


def ensure_dist(runtime: dict[str, Path], our_wheel: Path) -> bool:
    """Assemble dist/ if anything it is made of has changed; whether it had."""
    names = ("assemble.py", "facts.py", "lock.py", "notices.py", "offline.py", "packs.py", "pages.py", "site_zip.py")
    build_code = [*(WEB / "build" / name for name in names), archive.CODE, figures.SCRIPT, *figures.MATH]
    sources = [
        *pages(),
        ARTICLE,
        figures.FOLDER,
        STATIC,
        TEXTS,
        MANIFEST,
        bundle.FOLDER,
        recordings.FOLDER,
        our_wheel,
        SCRIPT,
        *FORMAT,
    ]
    return step(
        "site",
        inputs=[*sources, *build_code],
        outputs=[DIST],
        action=lambda: _assemble(runtime, our_wheel),
    )


def pages() -> list[Path]:
    """The templates: every HTML file directly in web/."""
    found = sorted(WEB.glob("*.html"))
    if not found:
        raise BuildError("The site has no page: web/index.html is missing.")
    return found


def _assemble(runtime: dict[str, Path], our_wheel: Path) -> None:
    shutil.rmtree(NEXT, ignore_errors=True)
    if STATIC.is_dir():
        shutil.copytree(STATIC, NEXT)
    shutil.copytree(bundle.FOLDER / "assets", NEXT / "assets", dirs_exist_ok=True)
    shutil.copyfile(bundle.FOLDER / "embed.js", NEXT / "embed.js")
    entries = json.loads((bundle.FOLDER / "entries.json").read_text(encoding="utf-8"))
    _copy_runtime(runtime, our_wheel)
    engine = _engine_files(runtime, our_wheel, {simd: NEXT / path for simd, path in entries["loops"].items()})
    config = {
        "worker": entries["worker.js"],
        "runtime": {
            "base": "pyodide/",
            "files": engine,
        },
        "recorded": _publish(recordings.FOLDER),
        "figures": _publish(figures.FOLDER),
        "wheel": f"pyodide/{our_wheel.name}",
    }
    values = {
        "app.js": html.escape(entries["app.js"]),
        "embed-page.js": html.escape(entries["embed-page.js"]),
        "site.css": html.escape(entries["site.css"]),
        "config": _json_in_html(config),
        "measured": _publish(measuring.FOLDER)["measured"],
        **facts(recordings.FOLDER, measuring.FILE, our_wheel.name),
    }
    wheels = sorted((NEXT / "pyodide").glob("*.whl"))
    (NEXT / "notices.txt").write_text(notices(wheels), encoding="utf-8")
    written, forms = [], figures.static_forms()
    for page in pages():
        text = finished(page, values)
        for tag, form in forms.items():
            text = text.replace(f"<{tag}></{tag}>", f"<{tag}>{form}</{tag}>")
        (NEXT / page.name).write_text(text, encoding="utf-8")
        written.append(NEXT / page.name)
    figures.write_math(written)
    _add_copies(NEXT / "index.html")
    _swap()


def _add_copies(page: Path) -> None:
    """The finished site as one file and as a ZIP file, and then the sizes of both in the page."""
    text = page.read_text(encoding="utf-8")
    offline.write_offline(NEXT, bundle.FOLDER / "offline", text)
    said = f"This is a copy of version {offline.version()} of the site. "
    said += "It needs a web server: opened from a disk, its figures do not start."
    site_zip.write_zip(NEXT, {page.name: offline.without_keep(text, said)}, without={offline.NAME})

    def with_size(match: re.Match[str]) -> str:
        size = (NEXT / match[1]).stat().st_size
        return f'<data value="{size}" data-size-of="{match[1]}">{size / 1e6:.1f}&nbsp;MB</data>'

    page.write_text(SIZE.sub(with_size, text), encoding="utf-8")


def _json_in_html(data: dict[str, Any]) -> str:
    """JSON for a script element: `<` is escaped, so that no text in it can close the element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _copy_runtime(runtime: dict[str, Path], our_wheel: Path) -> None:
    """Fill dist/pyodide/ for notebooks: Pyodide as it is released, all of NumPy, micropip and our wheel."""
    folder = NEXT / "pyodide"
    folder.mkdir(parents=True)
    shipped = [file for file in runtime_files() if file.role != "full-lock"]
    for file in shipped:
        shutil.copyfile(runtime[file.name], folder / file.name)
    shutil.copyfile(our_wheel, folder / our_wheel.name)
    packages = [folder / file.name for file in shipped if file.role == "package"]
    lock = folder / "pyodide-lock.json"
    # -P: see recordings.py.
    run(
        [PYTHON, "-P", WEB / "build" / "lock.py", runtime["pyodide-lock.json"], lock, our_wheel, *packages],
        doing="Writing the site's pyodide-lock.json",
    )


def _engine_files(runtime: dict[str, Path], our_wheel: Path, loops: dict[str, Path]) -> list[dict[str, Any]]:
    """Fill dist/assets/pyodide/, from which the page starts its engine; one description per file.

    In folders named by their hash, so that browsers keep the files and, with them, the machine code made of them.
    """
    released = [file for file in runtime_files() if file.role in ("script", "wasm")]
    sources = [(runtime[file.name], file.role) for file in released]
    numpy = next(path for name, path in runtime.items() if name.startswith("numpy-"))
    for pack in ensure_packs(NEXT / "pyodide", numpy, our_wheel):
        sources.append((pack, "stdlib" if pack.name.startswith("python_stdlib") else "package"))
    described = []
    for source, role in sources:
        copy = NEXT / "assets" / "pyodide" / hashlib.sha256(source.read_bytes()).hexdigest()[:10] / source.name
        copy.parent.mkdir(parents=True)
        shutil.copyfile(source, copy)
        described.append(_describe(copy, role))
    return [*described, *(_describe(path, "loops") | {"simd": simd} for simd, path in loops.items())]


def _describe(path: Path, role: str) -> dict[str, Any]:
    data = path.read_bytes()
    digest = hashlib.sha256(data)
    return {
        "name": path.name,
        "url": path.relative_to(NEXT).as_posix(),
        "bytes": len(data),
        "gzipped": len(gzip.compress(data, compresslevel=6)),
        "sha256": digest.hexdigest(),
        "integrity": f"sha256-{base64.b64encode(digest.digest()).decode()}",
        "role": role,
    }


def _publish(source: Path) -> dict[str, str]:
    """Copy a folder's files to dist/recorded/<name>-<hash>.json; name -> URL."""
    folder = NEXT / "recorded"
    folder.mkdir(exist_ok=True)
    urls = {}
    for path in sorted(source.glob("*.json")):
        data = path.read_bytes()
        name = f"{path.stem}-{hashlib.sha256(data).hexdigest()[:10]}.json"
        (folder / name).write_bytes(data)
        urls[path.stem] = f"recorded/{name}"
    return urls


def _swap() -> None:
    """Put the new tree in the place of the old one. Until here, a failure leaves the old one as it was."""
    shutil.rmtree(OLD, ignore_errors=True)
    if DIST.exists():
        DIST.rename(OLD)
    NEXT.rename(DIST)
    shutil.rmtree(OLD, ignore_errors=True)
