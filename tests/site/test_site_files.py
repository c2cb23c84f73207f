"""The site's files as they are served: types, headers, hashes, no other origin; and a layout that holds."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from expected import RUNS
from playwright.sync_api import Browser
from trainer_page import Open, config, open_trainer

from web.build.headers import headers_for, read_rules
from web.build.project import PYLIB
from web.build.server import Site, serve_directory

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".zip": "application/zip",
    ".svg": "image/svg+xml",
}


def files(site: Site) -> list[Path]:
    return sorted(path for path in site.root.rglob("*") if path.is_file())


@pytest.mark.parametrize("kind", TYPES)
def test_every_file_is_served_with_its_type_and_the_sites_headers(site: Site, kind: str) -> None:
    served = [path for path in files(site) if path.suffix == kind]
    assert served
    for path in served:
        name = path.relative_to(site.root).as_posix()
        with urlopen(Request(site.url + name, method="HEAD")) as answer:
            assert answer.headers["Content-Type"] == TYPES[kind]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "'unsafe-eval'" not in policy and "'unsafe-inline'" not in policy
            assert answer.headers["Access-Control-Allow-Origin"] == "*"  # frames without an origin, notebooks
            hashed = name.startswith(("assets/", "recorded/"))
            assert ("immutable" in answer.headers["Cache-Control"]) == hashed


# Not all of them are in every build.
ADDRESSES = [
    "/",
    "/embed",
    "/embed.html",
    "/embed.js",
    "/transformer-playground.html",
    "/transformer-playground-site.zip",
]


def test_no_header_is_set_twice(site: Site) -> None:
    rules = read_rules()
    for path in [*ADDRESSES, *(f"/{file.relative_to(site.root).as_posix()}" for file in files(site))]:
        names = [name for rule in rules if rule.path.fullmatch(path) for name in rule.values]
        if path in ARTICLE:
            names.remove("Content-Security-Policy")
        assert len(names) == len(set(names)), path


ARTICLE = ("/", "/index", "/index.html")
EMBED = ("/embed", "/embed/", "/embed.html")


def test_other_sites_may_frame_the_page_of_one_figure_only(site: Site) -> None:
    """Whichever of two policies a host sends: the general one, the article's, or both."""
    rules = read_rules()
    general = headers_for("/elsewhere", rules)["Content-Security-Policy"]
    for path in ARTICLE:
        assert headers_for(path, rules)["Content-Security-Policy"] == f"{general}; frame-ancestors 'self'"
    for path in EMBED:
        headers = headers_for(path, rules)
        assert "X-Frame-Options" not in headers and "frame-ancestors" not in headers["Content-Security-Policy"]
    by_tests = ("/only-", "/shared-")
    others = {f"/{file.relative_to(site.root).as_posix()}" for file in files(site)} - set(EMBED)
    for path in (*ARTICLE, "/INDEX/", "/transformer-playground", *others):
        assert path.startswith(by_tests) or headers_for(path, rules)["X-Frame-Options"] == "SAMEORIGIN", path


@pytest.mark.parametrize("path", ADDRESSES)
def test_what_keeps_its_address_is_revalidated(path: str) -> None:
    headers = headers_for(path, read_rules())
    assert headers["Cache-Control"] == "no-cache"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"  # embed.js in pages that ask for it
    to_be_kept = path.startswith("/transformer-playground")
    assert headers.get("Content-Disposition") == ("attachment" if to_be_kept else None)


def test_a_page_has_an_address_without_its_ending(site: Site) -> None:
    with urlopen(f"{site.url}index") as answer:
        assert answer.read() == (site.root / "index.html").read_bytes()


def test_the_lock_lists_exactly_what_the_site_ships(site: Site) -> None:
    packages = json.loads((site.root / "pyodide" / "pyodide-lock.json").read_text())["packages"]
    assert set(packages) == {"numpy", "micropip", "microtransformer"}
    assert {package["file_name"] for package in packages.values()} == {p.name for p in site.root.glob("pyodide/*.whl")}
    for package in packages.values():
        wheel = (site.root / "pyodide" / package["file_name"]).read_bytes()
        assert package["sha256"] == hashlib.sha256(wheel).hexdigest()
    assert packages["microtransformer"]["depends"] == ["numpy"]


def test_the_page_knows_size_and_hash_of_every_file_of_the_engine(open_page: Open, site: Site) -> None:
    described = config(open_page(reduced_motion="reduce").page)["runtime"]["files"]
    assert {file["role"] for file in described} == {"script", "wasm", "stdlib", "package", "loops"}
    for file in described:
        data = (site.root / file["url"]).read_bytes()
        assert file["bytes"] == len(data)
        assert file["sha256"] == hashlib.sha256(data).hexdigest()


def sections(module: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of a WebAssembly module that has custom sections only."""
    assert module[:8] == b"\0asm\1\0\0\0"
    at = 8

    def number() -> int:
        nonlocal at
        value, shift = 0, 0
        while True:
            byte, at = module[at], at + 1
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while at < len(module):
        assert module[at] == 0
        at += 1
        size = number()
        end = at + size
        length = number()
        yield module[at : at + length].decode(), module[at + length : end]
        at = end


def test_the_engine_runs_the_packages_own_source(site: Site) -> None:
    (pack,) = site.root.glob("assets/pyodide/*/microtransformer.wasm")
    files = dict(sections(pack.read_bytes()))
    sources = {path: data for path, data in files.items() if path.endswith(".py")}
    assert "site-packages/microtransformer/playground.py" in sources
    for path, data in sources.items():
        assert data == (PYLIB / path.removeprefix("site-packages/")).read_bytes()
        folder, _, name = path.rpartition("/")
        assert f"{folder}/__pycache__/{name.removesuffix('.py')}.cpython-313.pyc" in files


def test_the_engine_starts_where_the_page_has_no_cryptography(browser: Browser, site: Site) -> None:
    """Over plain HTTP, on a school's own network for instance: there the browser checks the hashes."""
    url = site.url.replace("127.0.0.1", "playground.test")
    with open_trainer(browser, url, reduced_motion="reduce", save_data=True) as page:
        assert page.page.evaluate("crypto.subtle === undefined")
        page.button("Step").click()
        page.wait_live()
        page.wait_run(1)


def test_nothing_refers_to_another_origin(site: Site) -> None:
    """Nothing that a browser would load by itself; links for the reader to follow are another matter."""
    for path in files(site):
        if path.suffix == ".html":
            text = path.read_text(encoding="utf-8", errors="replace")  # the offline copy holds bytes
            assert re.findall(r"""(?:src|srcset|data|poster)=["']?(?:https?:)?//[^"'>]*""", text) == []
            assert re.findall(r"""<link[^>]*href=["']?(?:https?:)?//""", text) == []
        elif path.suffix == ".css":
            assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", path.read_text(encoding="utf-8")) == []


def test_the_site_works_from_a_folder_of_another(browser: Browser, site: Site) -> None:
    """As on a host that gives each project a path of its own. The ZIP file's test does it without our headers."""
    with (
        serve_directory(site.root, at="/courses/transformer/") as server,
        open_trainer(browser, server.url, reduced_motion="reduce") as page,
    ):
        page.wait(engine="recorded", observed="FACE@40")
        page.button("Step").click()
        page.wait_live()
        page.wait_run(1)


def test_no_host_takes_a_file_for_one_of_its_own(site: Site) -> None:
    """GitHub's pages leave out what begins with one of these."""
    assert [path for path in site.root.rglob("*") if path.name.startswith((".", "_", "#"))] == []


def test_no_file_holds_an_address_from_the_top_of_the_host(site: Site) -> None:
    top = "|".join(re.escape(path.name) for path in site.root.iterdir())
    wrong = re.compile(rf"""["'`(=]/(?:{top}|embed)\b""")
    for path in files(site):
        if path.suffix in (".html", ".css", ".js", ".json") and path.parent.name != "pyodide":
            text = path.read_text(encoding="utf-8", errors="replace")  # the offline copy holds bytes
            assert wrong.findall(text) == [], path.name


@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1600])
def test_nothing_is_wider_than_the_screen(open_article: Open, width: int) -> None:
    page = open_article(viewport={"width": width, "height": 800}, reduced_motion="reduce", save_data=True)
    page.wait(observed="FACE@40")
    for scheme in ("light", "dark"):
        page.page.emulate_media(color_scheme=scheme)
        assert page.page.evaluate("document.documentElement.scrollWidth") == width, scheme
        # Nor does a heading of a map wrap, or its share run out of the map.
        headings = page.figure.locator("figcaption").all()
        assert len(headings) == 4
        for heading in headings:
            assert heading.evaluate("(c) => c.scrollWidth <= c.clientWidth && c.offsetHeight < 30"), scheme


def test_the_trainer_fits_a_screen_of_1280_by_800(open_page: Open) -> None:
    page = open_page(reduced_motion="reduce", save_data=True)
    for task, mask in RUNS:
        page.choose(task, mask)
        page.wait(observed="FACE@40")
        box = page.figure.bounding_box()
        assert box is not None and box["height"] <= 800, (task, mask)


@pytest.mark.parametrize("path", ["nothing.html", "pyodide/", "../pyproject.toml", "%2e%2e/pyproject.toml", "assets"])
def test_what_is_not_on_the_site_is_not_found(site: Site, path: str) -> None:
    with pytest.raises(HTTPError) as caught:
        urlopen(site.url + path)
    assert caught.value.code == 404


def test_every_address_in_the_page_is_relative_and_exists(open_article: Open, site: Site) -> None:
    page = open_article(reduced_motion="reduce", save_data=True).page
    links = re.findall(r"""\s(?:src|href)=["']?([^"'> ]+)""", (site.root / "index.html").read_text(encoding="utf-8"))
    assert len(links) >= 4
    settings = config(page)
    links += [settings["worker"], *settings["recorded"].values(), *(f["url"] for f in settings["runtime"]["files"])]
    for link in links:
        if not link.startswith(("https://", "#", "mailto:")):
            assert not link.startswith("/")
            assert (site.root / link.split("#")[0]).is_file(), link


def test_what_can_be_pressed_on_a_phone_is_large_enough(open_page: Open) -> None:
    """24 x 24 px: WCAG 2.2, success criterion 2.5.8."""
    page = open_page(reduced_motion="reduce", save_data=True, viewport={"width": 390, "height": 844}, has_touch=True)
    page.wait(observed="FACE@40")
    targets = page.figure.locator("button:visible, .segmented label, input[type=text], input[type=range]")
    assert targets.count() >= 14
    for target in targets.all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24, target.evaluate("(element) => element.outerHTML")
