"""Find the browsers for the tests, or install them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from web.build.environment import PYTHON
from web.build.project import BuildError, run, say

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def ensure_chromium() -> str:
    """The path of a Chromium: $CHROMIUM, the system's, Playwright's own, or Debian's package."""
    if chosen := os.environ.get("CHROMIUM"):
        if not shutil.which(chosen):
            raise BuildError(f"The environment variable CHROMIUM names {chosen}, which is not a program.")
        return str(shutil.which(chosen))
    found = _on_system() or _from_playwright() or _from_debian()
    if not found:
        raise BuildError(
            "The tests of the site need Chromium, and none was found or could be installed. "
            "Install Chromium or Chrome, or name its program in the environment variable CHROMIUM."
        )
    return found


def find_headless_shell() -> str | None:
    """The path of the system's Chromium without a window, in which a page opens in half the time; None without one.

    The same engine, and what Playwright itself takes for headless tests. Who names a browser in $CHROMIUM means that.
    """
    found = shutil.which("chromium-headless-shell")
    if not found or os.environ.get("CHROMIUM"):
        return None
    # It starts only beside Chromium's own files, and only beside those of its version.
    probe = [found, "--no-sandbox", "--dump-dom", "about:blank"]
    try:
        works = subprocess.run(probe, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    return found if works else None


def ensure_firefox() -> str | None:
    """The path of a Firefox: $FIREFOX, the system's, or Debian's package. None where there is none to be had."""
    if chosen := os.environ.get("FIREFOX"):
        if not shutil.which(chosen):
            raise BuildError(f"The environment variable FIREFOX names {chosen}, which is not a program.")
        return str(shutil.which(chosen))
    return _firefox_on_system() or (_firefox_on_system() if _install("firefox-esr", "Firefox") else None)


def _firefox_on_system() -> str | None:
    places = [*(shutil.which(name) for name in ("firefox-esr", "firefox"))]
    places += ["/Applications/Firefox.app/Contents/MacOS/firefox"]
    return next((place for place in places if place and os.access(place, os.X_OK)), None)


def _on_system() -> str | None:
    places = ["/usr/bin/chromium", *(shutil.which(name) for name in NAMES)]
    places += ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
    return next((place for place in places if place and os.access(place, os.X_OK)), None)


def _from_playwright() -> str | None:
    """Playwright's own build, if it is there or can be downloaded."""
    ask = "from playwright.sync_api import sync_playwright as p\nwith p() as api: print(api.chromium.executable_path)"
    answer = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True).stdout.strip()
    if answer and Path(answer).exists():
        return answer
    say("  chromium: none on this machine, asking Playwright for its own …")
    try:
        run([PYTHON, "-m", "playwright", "install", "chromium"], doing="Downloading Chromium")
    except BuildError:
        return None
    return answer if answer and Path(answer).exists() else None


def _from_debian() -> str | None:
    # A font as well: on a machine that has none, Chromium lays out text as empty boxes.
    return _on_system() if _install("chromium", "Chromium", "fonts-dejavu-core") else None


def _install(package: str, name: str, *others: str) -> bool:
    """Install a package of Debian's, where this process may; whether that worked."""
    apt = shutil.which("apt-get")
    if not apt or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    say(f"  {package}: installing the system's package with apt-get …")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        run([apt, "update", "-q"], doing="Updating the list of system packages", env=quiet)
        install = [apt, "install", "-y", "-q", "--no-install-recommends", package, *others]
        run(install, doing=f"Installing {name}", env=quiet)
    except BuildError as error:
        say(f"  {package}: {error}")
        return False
    return True
