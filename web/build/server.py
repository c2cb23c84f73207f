"""Serve dist/ on this machine with the headers and MIME types of the published site.

In tests: `with serve_directory(DIST) as server: page.goto(server.url)`. A site may be served `at="/some/path/"`, and
with no headers of ours (`rules=[]`), as by a host that does not know netlify.toml.
"""

from __future__ import annotations

import errno
import hashlib
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from types import TracebackType
from urllib.parse import quote, unquote, urlsplit

from web.build.headers import Rule, headers_for, read_rules
from web.build.project import BuildError

MIME_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
    ".ico": "image/x-icon",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
# What the host sends where netlify.toml says nothing about caching.
DEFAULT_CACHING = "public, max-age=0, must-revalidate"


class Handler(BaseHTTPRequestHandler):
    """GET and HEAD of files below `server.root`."""

    protocol_version = "HTTP/1.1"  # keeps connections open, as the real host does
    server: Site
    timeout = 60  # seconds after which an idle connection is given up

    def do_GET(self) -> None:
        """Answer with the file, with 304 where the browser's copy is current, or with a sentence."""
        path = unquote(urlsplit(self.path).path)
        file = self.server.find(path)
        if file is None:
            self._answer(HTTPStatus.NOT_FOUND, path, f"There is no page {path} here.\n".encode())
        elif file.is_dir():
            self._answer(HTTPStatus.MOVED_PERMANENTLY, path, b"", {"Location": quote(f"{path}/")})
        else:
            try:
                data = file.read_bytes()
            except OSError as error:  # a build may be putting a new dist/ in place right now
                self._answer(HTTPStatus.SERVICE_UNAVAILABLE, path, f"{error.strerror}\n".encode())
                return
            tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
            mime = MIME_TYPES.get(file.suffix.lower(), "application/octet-stream")
            known = [part.strip().removeprefix("W/") for part in self.headers.get("If-None-Match", "").split(",")]
            fresh = tag in known or "*" in known
            status = HTTPStatus.NOT_MODIFIED if fresh else HTTPStatus.OK
            self._answer(status, path, data, {"ETag": tag, "Content-Type": mime})

    do_HEAD = do_GET

    def _answer(self, status: HTTPStatus, path: str, body: bytes, extra: dict[str, str] | None = None) -> None:
        headers = {"Cache-Control": DEFAULT_CACHING, **(extra or {})}
        headers |= headers_for(self.server.below(path), self.server.rules)
        if status >= HTTPStatus.BAD_REQUEST:
            # The next build may bring the file; until then there is a sentence.
            headers |= {"Cache-Control": "no-cache", "Content-Type": MIME_TYPES[".txt"]}
        self.send_response(status)
        for name, value in headers.items():
            if not (status == HTTPStatus.NOT_MODIFIED and name == "Content-Type"):
                self.send_header(name, value)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status != HTTPStatus.NOT_MODIFIED:
            self.wfile.write(body)

    def version_string(self) -> str:
        """The Server header, without the version of Python."""
        return "transformer-playground"

    def log_message(self, format: str, *args: object) -> None:
        """Keep the terminal quiet."""


class Site(ThreadingHTTPServer):
    """A server for one folder. `serve_directory` starts it in a thread."""

    daemon_threads = True
    block_on_close = False  # an open keep-alive connection must not delay closing
    request_queue_size = 64

    def __init__(self, root: Path, host: str, port: int, at: str = "/", rules: list[Rule] | None = None) -> None:
        self.root = root.resolve()
        self.at = at
        self.rules = read_rules() if rules is None else rules
        self._thread: threading.Thread | None = None
        super().__init__((host, port), Handler)

    @property
    def url(self) -> str:
        """The address of the site, ending in a slash."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}{self.at}"

    def below(self, path: str) -> str:
        """The path as seen from the top of the site; "" if it is not on the site."""
        return path[len(self.at) - 1 :] if path.startswith(self.at) else ""

    def find(self, path: str) -> Path | None:
        """The file or folder for a URL path, or None; "/embed" stands for "/embed.html"."""
        path = self.below(path)
        parts = PurePosixPath(path).parts[1:]
        if not path or "\0" in path or "\\" in path or ".." in parts:
            return None
        file = self.root.joinpath(*parts)
        if path.endswith("/"):
            file = file / "index.html"
        elif parts and not file.exists():
            file = file.with_name(f"{file.name}.html")
        return file if file.is_file() or (file.is_dir() and (file / "index.html").is_file()) else None

    def handle_error(self, request: object, client_address: object) -> None:
        """Browsers drop connections when a page is left; that is no error worth a traceback."""

    def start(self) -> Site:
        """Serve in a thread of its own."""
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop and free the port."""
        if self._thread:
            self.shutdown()
            self._thread.join()
            self._thread = None
        self.server_close()

    def __enter__(self) -> Site:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_site(root: Path, host: str = "127.0.0.1", port: int = 0) -> Site:
    """A server that listens but does not answer yet; port 0 takes any free one."""
    try:
        return Site(root, host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BuildError(
                f"Port {port} is in use by another program. Choose another with --port, or stop that program."
            ) from None
        raise BuildError(f"The server cannot listen on {host}, port {port}: {error.strerror}.") from None
    except OverflowError:
        raise BuildError(f"{port} is not a port; ports are numbers from 0 to 65535.") from None


def serve_directory(root: Path, at: str = "/", rules: list[Rule] | None = None) -> Site:
    """A running server with `.url` and `.close()`, also usable in a `with` statement."""
    return Site(root, "127.0.0.1", 0, at, rules).start()
