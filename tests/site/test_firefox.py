"""The trainer in the system's Firefox: recorded run, live engine, a few epochs, nothing from anyone but the site."""

from __future__ import annotations

from pathlib import Path

import pytest
from trainer_page import trainer_url

from tests.browsers.drive import drive
from web.build.server import Site

SCENARIO = Path(__file__).with_name("firefox.mjs")


@pytest.mark.slow
def test_the_trainer_trains_in_firefox(site: Site) -> None:
    driven = drive("firefox", trainer_url(site), SCENARIO)
    recorded, live, losses = (driven.result[name] for name in ("recorded", "live", "losses"))
    assert (recorded["engine"], recorded["source"]) == ("recorded", "recorded")
    assert (live["engine"], live["source"]) == ("live", "live"), live["status"]
    assert live["loops"], "The SIMD loops are not in use."
    for state in (recorded, live):
        assert len(state["drawn"]) == 6  # four heads, two curves
        assert all(state["drawn"])
        assert state["width"] <= 1280
    assert int(live["trained"]) >= 3
    assert losses[0] > 2  # nats; guessing among eight letters is ln 8 = 2.08
    assert losses[-1] < losses[0] - 0.1
    assert driven.problems == []
    assert [url for url in driven.requests if not url.startswith((site.url, "blob:", "data:"))] == []


def test_a_tab_behind_others_rests_in_firefox(site: Site) -> None:
    """Chromium without a window has no tab behind another; see test_embed.py for what it can do."""
    driven = drive("firefox", f"{site.url}embed.html?figure=trainer", Path(__file__).with_name("firefox_tab.mjs"))
    assert driven.result == "recorded"
    assert driven.problems == []
