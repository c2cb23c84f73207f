"""The offline copy, opened from the disk without a network, and the ZIP file, unpacked on another host."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest
from expected import recording
from figure_page import FigurePage
from playwright.sync_api import Browser, expect
from trainer_page import TrainerPage, open_trainer

from tests.browsers.drive import drive
from web.build import bundle, offline, site_zip
from web.build.archive import FORBIDDEN, as_text
from web.build.server import Site, serve_directory

SCENARIO = Path(__file__).with_name("firefox.mjs")


@pytest.fixture(scope="module")
def copy(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file alone in a folder, as a reader has it."""
    folder = tmp_path_factory.mktemp("a reader's folder, é #1? 100%")
    return Path(shutil.copy(site.root / offline.NAME, folder))


def requests(page: TrainerPage) -> list[str]:
    """What the page has asked for outside itself."""
    return [url for url in page.watch.requests if not url.startswith(("blob:", "data:"))]


def copied_link(page: TrainerPage) -> str:
    """What "Copy link" under the trainer copies."""
    page.page.evaluate("() => { navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }; }")
    page.figure.get_by_role("button", name="Share:").click()
    page.button("Copy link").click()
    expect(page.figure.locator(".tools").get_by_role("status")).to_have_text(re.compile("^Copied"))
    return str(page.page.evaluate("copied"))


def article(html: str) -> list[str]:
    """Ids of sections and figures, in order."""
    return re.findall(r'<(?:section|figure)[^>]* id="([\w-]+)"', html)


def test_from_the_disk_without_a_network_it_does_all_that_the_site_does(
    browser: Browser, site: Site, copy: Path
) -> None:
    link = "#task=sort&mask=causal&probe=HEAD&epoch=7"
    with open_trainer(browser, copy.as_uri() + link, offline=True, accept_downloads=True) as page:
        # The link is followed, and the recorded run is shown.
        page.wait(engine="recorded", source="recorded", observed="HEAD@7")
        recorded = recording("sort", "causal")
        expect(page.ce).to_have_text(f"{recorded['history'][7]['ce']:.3f}")
        assert article(page.page.content()) == article((site.root / "index.html").read_text("utf-8"))
        expect(page.status).to_have_text(re.compile(r"Train starts the live engine\.$"))
        expect(page.page.locator("p.keep")).to_have_text(re.compile(r"^This is the offline copy of version [\d.]+\."))
        assert page.page.evaluate("document.fonts.check('16px \"STIX Two Math\"')")
        # The files that the article links to.
        for name, file in {
            "Licences": "notices.txt",
            "all of them, run by run, as JSON": "recorded/measured-*.json",
            "microtransformer-0.1.0-py3-none-any.whl": "pyodide/microtransformer-*.whl",
        }.items():
            with page.page.expect_download() as download:
                page.page.get_by_role("link", name=name, exact=True).click()
            (original,) = site.root.glob(file)
            assert download.value.suggested_filename == original.name
            if original.suffix == ".whl":  # compressed with the whole, not by itself
                with ZipFile(download.value.path()) as wheel, ZipFile(original) as ours:
                    assert {name: wheel.read(name) for name in wheel.namelist()} == {
                        name: ours.read(name) for name in ours.namelist()
                    }
            else:
                assert Path(download.value.path()).read_bytes() == original.read_bytes()
        # What it has no address for, it says.
        page.page.get_by_text("Take away", exact=True).click()
        expect(page.page.locator(".take-away pre")).to_contain_text(
            re.compile(r"^# pip install microtransformer-[\d.]+-py3-none-any\.whl$", re.MULTILINE)
        )
        assert copied_link(page).startswith(f"{copy.as_uri()}#v=1&task=sort&mask=causal")
        tools = page.figure.locator(".tools")
        expect(tools).to_contain_text("Embed code comes from the site; this is its offline copy.")
        expect(tools.get_by_role("status")).to_have_text("Copied. The link is to this file, on this device.")
        # A figure answers, and the trainer trains.
        figure = FigurePage(page, "score-spread")
        figure.go_live()
        for epoch in (1, 2):
            page.button("Step").click()
            page.wait_run(epoch)
        page.wait(observed="HEAD@2")
        native = recorded["history"][2]
        assert page.scores() == pytest.approx((native["ce"], native["accuracy"]), abs=0.02)
        assert requests(page) == [copy.as_uri()]


def test_it_is_one_file_that_may_ask_for_nothing(browser: Browser, site: Site, copy: Path) -> None:
    data = copy.read_bytes()
    clear = re.sub(rb'<script type="text/plain".*?</script>', b"", data, flags=re.DOTALL)
    assert clear.isascii()
    policy = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]+)"', clear)
    assert (
        policy and b"default-src 'none'" in policy[1] and b"http" not in policy[1] and b"unsafe-inline" not in policy[1]
    )
    # Without JavaScript it reads as the site does, and no link leads nowhere.
    with open_trainer(browser, copy.as_uri(), offline=True, java_script_enabled=False) as page:
        texts = [page.page.locator(part).inner_text() for part in ("#scaling", "score-spread", "micro-trainer")]
        assert all(len(text) > 200 for text in texts)
        assert requests(page) == [copy.as_uri()]
    links = re.findall(rb'<a [^>]*?href="([^"]+)"', clear)
    assert len(links) > 50 and all(link.startswith((b"#", b"https://")) for link in links)


def test_the_page_states_the_sizes_of_both_files(site: Site) -> None:
    html = (site.root / "index.html").read_text("utf-8")
    stated = re.findall(r'<data value="(\d+)" data-size-of="([^"]+)">([\d.]+)&nbsp;MB</data>', html)
    assert {name for _, name, _ in stated} == {offline.NAME, site_zip.NAME}
    for value, name, megabytes in stated:
        assert int(value) == (site.root / name).stat().st_size
        assert megabytes == f"{int(value) / 1e6:.1f}"
        assert f'<a download href="{name}">' in html


def test_the_same_site_makes_the_same_file(site: Site, tmp_path: Path) -> None:
    again = tmp_path / "site"
    shutil.copytree(site.root, again, copy_function=os.link)
    (again / offline.NAME).unlink()
    offline.write_offline(again, bundle.FOLDER / "offline", (again / "index.html").read_text("utf-8"))
    assert (again / offline.NAME).read_bytes() == (site.root / offline.NAME).read_bytes()


def test_any_bytes_stand_in_a_page_and_few_are_added() -> None:
    for data in (b"", b"<", bytes(range(256)) * 9, os.urandom(100_000)):
        text, size = as_text(data)
        assert not set(text) & set(FORBIDDEN)
        blocks = [text[start : start + size] for start in range(0, len(text), size)]
        assert b"".join(bytes((byte - block[0]) % 256 for byte in block[1:]) for block in blocks) == data
        assert len(text) <= len(data) * 1.013 + 1


def test_a_server_that_declares_another_encoding(browser: Browser, copy: Path) -> None:
    with serve_directory(copy.parent) as server:
        server.rules = []
        with open_trainer(browser, server.url + copy.name + "#epoch=7") as page:
            page.wait(observed="FACE@7")
            assert page.page.evaluate("document.characterSet") == "UTF-8"
            # Others can follow its links, which lead to the file: there is no page beside it.
            assert copied_link(page).startswith(f"{server.url}{copy.name}#")
            expect(page.figure.locator(".tools").get_by_role("status")).to_have_text("Copied")
            assert set(requests(page)) == {server.url + copy.name}


def test_a_damaged_copy_says_so(browser: Browser, copy: Path, tmp_path: Path) -> None:
    data = copy.read_bytes()
    at = data.index(b'id="engine-files"') + 1_000_000
    damaged = tmp_path / "damaged.html"
    damaged.write_bytes(data[:at] + b"~" * 8 + data[at + 8 :])
    with open_trainer(browser, damaged.as_uri() + "#epoch=40") as page:
        page.watch.allow(r"^failed: blob:")  # the worker is ended while it reads
        page.wait(observed="FACE@40")
        page.button("Train").click()
        page.wait(engine="failed")
        expect(page.status).to_contain_text("this copy of the page is damaged")


def test_the_zip_is_the_site_and_trains_below_any_path(browser: Browser, site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "courses" / "unit 3"
    with ZipFile(site.root / site_zip.NAME) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    (unpacked,) = folder.iterdir()
    here = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    there = {path.relative_to(site.root).as_posix() for path in site.root.rglob("*") if path.is_file()}
    added_by_tests = ("only-", "shared-")
    gone = {name for name in there - here if not name.endswith(".map") and not name.startswith(added_by_tests)}
    assert here <= there and gone == {offline.NAME, site_zip.NAME}
    with serve_directory(tmp_path) as server:
        server.rules = []  # none of our headers
        with open_trainer(browser, f"{server.url}courses/unit%203/{unpacked.name}/#epoch=40", save_data=True) as page:
            page.wait(observed="FACE@40")
            expect(page.page.locator("p.keep")).to_have_text(re.compile(r"^This is a copy of version [\d.]+"))
            page.button("Step").click()
            page.wait_live()
            page.wait_run(1)
            assert all("/courses/unit%203/" in url for url in requests(page))


@pytest.mark.slow
def test_it_trains_in_firefox(copy: Path) -> None:
    driven = drive("firefox", copy.as_uri() + "#epoch=40", SCENARIO)
    live, losses = driven.result["live"], driven.result["losses"]
    assert (live["engine"], live["source"]) == ("live", "live"), live["status"]
    assert live["loops"], "The SIMD loops are not in use."
    assert int(live["trained"]) >= 3 and losses[-1] < losses[0] - 0.1
    # Of a formula of which only the beginning has been read, Firefox says that it is wrong; the rest puts it right.
    half_read = "Invalid markup: Incorrect number of children"
    assert [problem for problem in driven.problems if half_read not in problem] == []
    assert [url for url in driven.requests if not url.startswith((copy.as_uri(), "blob:", "data:"))] == []
