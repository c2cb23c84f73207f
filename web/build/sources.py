"""The three kinds of places a runtime file can come from: npm's folder, a URL, a member of a wheel."""

from __future__ import annotations

import sys
import threading
import urllib.error
import urllib.request
import zipfile
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from web.build.environment import PYTHON
from web.build.project import WEB, execute, say

Source = dict[str, str]
PATIENCE = 4.0  # seconds without an answer after which the next source is tried


class SourceError(Exception):
    """Why this source did not deliver, as the end of a sentence."""


class Wanted(Protocol):
    """What a source needs to know of a file."""

    @property
    def name(self) -> str: ...
    @property
    def bytes(self) -> int: ...


def label(source: Source) -> str:
    """The source in words."""
    if "npm" in source:
        return f"web/node_modules/{source['npm']}"
    if "pypi" in source:
        return f"the Python package {source['pypi']}"
    return source["url"]


def npm_path(source: Source) -> Path:
    """The file that npm installed."""
    return WEB / "node_modules" / source["npm"]


class Fetcher:
    """Reads sources; asks a host that does not answer once only, and downloads a package once only."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.silent_hosts: dict[str, str] = {}
        self.wheels: dict[str, Path | SourceError] = {}

    def read(self, source: Source, file: Wanted) -> bytes:
        """The bytes this source has for the file, unverified."""
        if "npm" in source:
            return self._npm(source)
        if "pypi" in source:
            return self._wheel_member(source["pypi"], source["member"])
        return self._url(source["url"], file)

    def _npm(self, source: Source) -> bytes:
        try:
            return npm_path(source).read_bytes()
        except OSError as error:
            raise SourceError(f"{error.strerror} (delete web/node_modules to have it installed anew)") from None

    def _url(self, url: str, file: Wanted) -> bytes:
        host = urlsplit(url).netloc
        if host in self.silent_hosts:
            raise SourceError(self.silent_hosts[host])
        try:
            with _open(url) as response:
                return _read_with_progress(response, file)
        except urllib.error.HTTPError as error:
            raise SourceError(f"the server answered {error.code} {error.reason}") from None
        except TimeoutError:
            reason = f"no answer within {PATIENCE:.0f} s"
        except urllib.error.URLError as error:
            reason = f"no connection ({getattr(error.reason, 'strerror', None) or error.reason})"
        except (OSError, HTTPException) as error:
            reason = f"the download broke off ({error})"
        self.silent_hosts[host] = reason
        raise SourceError(reason)

    def _wheel_member(self, requirement: str, member: str) -> bytes:
        if requirement not in self.wheels:
            try:
                self.wheels[requirement] = self._download(requirement)
            except SourceError as error:
                self.wheels[requirement] = error
        wheel = self.wheels[requirement]
        if isinstance(wheel, SourceError):
            raise wheel
        try:
            with zipfile.ZipFile(wheel) as archive:
                return archive.read(member)
        except KeyError:
            raise SourceError(f"it holds no file {member}") from None
        except zipfile.BadZipFile as error:
            raise SourceError(f"its wheel is damaged ({error})") from None

    def _download(self, requirement: str) -> Path:
        """The package's wheel through pip, which honours the user's own mirrors and proxies."""
        say(f"  runtime: downloading the Python package {requirement} (tens of MB) …")
        folder = self.scratch / requirement.replace("=", "-")
        python = str(PYTHON if PYTHON.exists() else sys.executable)
        command = [python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--only-binary=:all:", "--ignore-requires-python", "--dest", str(folder), requirement]
        code, output = execute(command, doing=f"Downloading {requirement}")
        wheels = sorted(folder.glob("*.whl"))
        if code or not wheels:
            errors = [line for line in output.splitlines() if line.startswith("ERROR")]
            raise SourceError(f"pip could not download it ({'; '.join(errors)[:300] or 'no reason given'})")
        return wheels[0]


def _open(url: str) -> HTTPResponse:
    """Open the URL within PATIENCE, including name lookup, which the socket's own timeout leaves out."""
    answer: list[HTTPResponse | BaseException] = []

    def ask() -> None:
        try:
            answer.append(urllib.request.urlopen(url, timeout=PATIENCE))
        except BaseException as error:  # handed to the caller below
            answer.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(PATIENCE + 0.5)
    if not answer:
        raise TimeoutError
    if isinstance(answer[0], BaseException):
        raise answer[0]
    return answer[0]


def _read_with_progress(response: HTTPResponse, file: Wanted) -> bytes:
    """Read to the end; on a terminal, a line that counts the megabytes. Never more than the file can have."""
    parts: list[bytes] = []
    got = 0
    while got <= file.bytes and (chunk := response.read(1 << 18)):
        parts.append(chunk)
        got += len(chunk)
        if sys.stdout.isatty():
            print(f"\r  runtime: {file.name} {got / 1e6:.1f} of {file.bytes / 1e6:.1f} MB", end="", flush=True)
    if sys.stdout.isatty():
        print("\r\x1b[K", end="", flush=True)
    return b"".join(parts)
