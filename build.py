#!/usr/bin/env python3
"""One entry point for everything: build the site, serve it, test it, check the code.

    python3 build.py build     make dist/
    python3 build.py serve     make dist/ and serve it on this machine
    python3 build.py offline   make dist/ and say where the page is that works without a network: one HTML file
    python3 build.py test      make dist/ and run the tests; arguments are passed on to pytest
    python3 build.py bench     make dist/ and measure it; arguments choose the benchmarks
    python3 build.py check     lint and types

Needs Python 3.11 or newer and nothing else; what is missing goes into .venv/ and web/node_modules/. Each step
runs only when something it depends on has changed. The steps themselves are in web/build/.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import webbrowser

if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older Python should read why it stops
    sys.exit(f"build.py needs Python 3.11 or newer; this is Python {sys.version.split()[0]}.")

from web.build import offline
from web.build.assemble import ensure_dist
from web.build.benching import run_benchmarks
from web.build.bundle import ensure_bundle
from web.build.environment import ensure_node_packages, ensure_venv
from web.build.figures import ensure_figures
from web.build.measuring import ensure_measured
from web.build.project import DIST, BuildError, exclusive, relative, say
from web.build.recordings import ensure_recordings
from web.build.runtime import ensure_runtime
from web.build.server import open_site
from web.build.testing import run_checks, run_tests
from web.build.wheel import ensure_wheel

DEFAULT_PORT = 8000


def build() -> None:
    """Every step of the site, in order."""
    started = time.perf_counter()
    with exclusive():
        ensure_venv()
        ensure_node_packages()
        runtime = ensure_runtime()
        wheel = ensure_wheel()
        ensure_recordings()
        ensure_figures()
        ensure_measured()
        ensure_bundle()
        changed = ensure_dist(runtime, wheel)
    seconds = time.perf_counter() - started
    size = sum(file.stat().st_size for file in DIST.rglob("*") if file.is_file())
    news = f"built, {size / 1e6:.1f} MB" if changed else "up to date, nothing has changed"
    say(f"dist/ is {news} ({seconds:.1f} s)")


def serve(host: str, port: int | None, show: bool) -> int:
    """Build, then serve until Ctrl-C. Where the default port is busy, the next free one is taken."""
    build()
    site = None
    for candidate in [port] if port is not None else range(DEFAULT_PORT, DEFAULT_PORT + 20):
        try:
            site = open_site(DIST, host, candidate)
            break
        except BuildError as error:
            if port is not None or candidate == DEFAULT_PORT + 19:
                raise
            if "in use" not in str(error):
                raise
            say(f"Port {candidate} is in use; trying the next one.")
    assert site is not None
    for stop in (signal.SIGINT, signal.SIGTERM):  # SIGINT too: a shell starts background jobs deaf to it
        signal.signal(stop, signal.default_int_handler)
    with site:
        say("Serving dist/ until Ctrl-C:")
        say(site.url)
        if show:
            webbrowser.open(site.url)
        try:
            site.serve_forever()
        except KeyboardInterrupt:
            say("\nStopped.")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="build.py", description="Build, serve and test the site.")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="build | serve | offline | test | bench | check"
    )
    commands.add_parser("build", help="make dist/")
    serving = commands.add_parser("serve", help="make dist/ and serve it on this machine")
    serving.add_argument("--port", type=int, help=f"port (default: {DEFAULT_PORT}, or the next free one)")
    serving.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    serving.add_argument("--open", action="store_true", help="open the page in the browser")
    commands.add_parser("offline", help="make dist/ and name its HTML file that works without a network")
    testing = commands.add_parser("test", help="make dist/ and run the tests", add_help=False, allow_abbrev=False)
    testing.add_argument("--parity", action="store_true", help="also install PyTorch and compare with it")
    commands.add_parser("bench", help="make dist/ and measure it", add_help=False, allow_abbrev=False)
    commands.add_parser("check", help="lint and types of Python and JavaScript")
    options, rest = parser.parse_known_args()
    if rest and options.command not in ("test", "bench"):
        parser.error(f"unknown arguments: {' '.join(rest)}")
    if options.command == "serve":
        return serve(options.host, options.port, options.open)
    if options.command == "check":
        return run_checks()
    build()
    if options.command == "offline":
        copy = DIST / offline.NAME
        say(f"The offline copy is {relative(copy)}, {copy.stat().st_size / 1e6:.1f} MB. Open it by a double click.")
    if options.command == "test":
        return run_tests(rest, options.parity or os.environ.get("TRANSFORMER_PARITY") == "1")
    if options.command == "bench":
        return run_benchmarks(rest)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BuildError as error:
        sys.exit(f"\n{error}")
    except KeyboardInterrupt:
        sys.exit(130)
