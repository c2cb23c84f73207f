"""Every knob reaches the engine, and its run is the native one; links carry knobs; any model fits the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from settings import LABELS, LINKS, configs, native_losses, text
from trainer_page import Open, TrainerPage, open_trainer, trainer_url

from microtransformer import ModelConfig, TrainConfig, parameters
from web.build.server import Site

EPOCHS = 3
CE_TOLERANCE = 0.02
"""Nats: float32 sums in another order than natively."""

OTHER: dict[str, Any] = {
    "n_layers": 3,
    "n_heads": 4,
    "d_model": 16,
    "norm": "post",
    "scale_scores": False,
    "positions": False,
    "learning_rate": 0.003,
    "batch_size": 256,
}
"""A value of each knob that is not its default."""


@pytest.fixture(scope="module")
def page(browser: Browser, site: Site) -> Iterator[TrainerPage]:
    """With a live engine and its knobs open."""
    with open_trainer(browser, trainer_url(site), reduced_motion="reduce") as page:
        page.wait(observed="FACE@40")
        page.figure.get_by_text("Model and training").click()
        page.button("Step").click()
        page.wait_live()
        page.wait_run(1)
        yield page


def turn(page: TrainerPage, name: str, value: Any) -> None:
    """Set a knob with the reader's means."""
    field = page.page.get_by_label(LABELS[name], exact=True)
    if isinstance(value, bool):
        field.set_checked(value)
    else:
        field.select_option(str(value))


def steps(page: TrainerPage, epochs: int) -> list[float]:
    """Train so many epochs and return the losses on display, from epoch 0 on."""
    for epoch in range(1, epochs + 1):
        page.button("Step").click()
        page.wait_run(epoch)
    return [ce for ce, _ in page.curve()]


def test_the_controls_start_at_the_packages_defaults(open_page: Open) -> None:
    page = open_page(save_data=True, reduced_motion="reduce")
    page.figure.get_by_text("Model and training").click()
    defaults = vars(ModelConfig()) | vars(TrainConfig())
    for name, label in LABELS.items():
        field = page.page.get_by_label(label, exact=True)
        if isinstance(defaults[name], bool):
            expect(field).to_be_checked(checked=defaults[name])
        else:
            expect(field).to_have_value(str(defaults[name]))
        assert field.evaluate(
            "(e) => document.getElementById(e.getAttribute('aria-describedby')).textContent"
        ).endswith(".")
    assert ModelConfig().d_ff == 2 * ModelConfig().d_model


@pytest.mark.parametrize("name", OTHER)
def test_each_knob_trains_the_native_run(page: TrainerPage, name: str) -> None:
    turn(page, name, OTHER[name])
    page.wait(source="live", training=False, trained=0, observed="FACE@0")
    cfg, train = configs({name: OTHER[name]})
    size = page.figure.locator(".size")
    expect(size).to_contain_text(f"{parameters.count(cfg):,} parameters; each head is {cfg.d_k} numbers wide")
    expect(size).to_contain_text(f"takes {-(-512 // train.batch_size)} steps")
    assert page.figure.locator(".grid:visible figure").count() == cfg.n_layers * cfg.n_heads
    losses = steps(page, EPOCHS)
    assert losses == pytest.approx(native_losses({name: OTHER[name]}, EPOCHS), abs=CE_TOLERANCE)
    # It would be seen if the engine had not been told: this is not the default run.
    assert losses != pytest.approx(native_losses({}, EPOCHS), abs=0.002)
    page.page.wait_for_url(re.compile(rf"#v=1&{LINKS[name]}={re.escape(text(OTHER[name]))}&trained={EPOCHS}&knobs=on$"))
    turn(page, name, configs({})[0].__dict__.get(name, getattr(TrainConfig(), name, None)))


def test_without_positions_the_caption_says_what_cannot_be_learned(page: TrainerPage) -> None:
    caption = page.figure.locator(".caption")
    turn(page, "positions", False)
    steps(page, 1)
    expect(caption).to_contain_text("no part of the model can tell places apart")
    turn(page, "positions", True)
    steps(page, 1)
    expect(caption).not_to_contain_text("tell places apart")


def test_a_link_carries_every_knob(open_page: Open) -> None:
    fragment = "#" + "&".join(f"{LINKS[name]}={text(value)}" for name, value in OTHER.items()) + "&epoch=1"
    page = open_page(fragment, reduced_motion="reduce")
    page.wait_live()
    page.wait_run(1)
    page.wait(observed="FACE@1")
    page.figure.get_by_text("Model and training").click()
    for name, value in OTHER.items():
        field = page.page.get_by_label(LABELS[name], exact=True)
        if isinstance(value, bool):
            expect(field).to_be_checked(checked=value)
        else:
            expect(field).to_have_value(str(value))
    assert page.scores()[0] == pytest.approx(native_losses(OTHER, 1)[-1], abs=CE_TOLERANCE)
    page.button("HEAD").click()
    carried = fragment.replace("#", "#v=1&").replace("&epoch=1", "&probe=HEAD&trained=1&knobs=on")
    page.page.wait_for_url(re.compile(re.escape(carried) + "$"))


@pytest.mark.parametrize("fragment", ["#norm=batch&scale=maybe&positions=1", "#jacobian", "#d=&lr=1e-3x"])
def test_wrong_values_and_names_of_sections_are_no_state(open_page: Open, fragment: str) -> None:
    page = open_page(fragment, save_data=True, reduced_motion="reduce")
    page.wait(engine="recorded", source="recorded", observed="FACE@40")
    assert page.page.url.endswith(fragment)


def test_using_the_trainer_leaves_the_name_of_a_section_in_the_address(open_page: Open) -> None:
    page = open_page("#jacobian", save_data=True, reduced_motion="reduce")
    page.wait(observed="FACE@40")
    page.radio("Copy").check()
    page.page.wait_for_url(re.compile("#v=1&task=copy$"))
    page.page.evaluate("location.hash = '#norm'")  # a section may be called as a knob is in links
    page.wait(observed="FACE@40")
    expect(page.radio("Copy")).to_be_checked()
    page.page.evaluate("location.hash = '#task=sort&mask=causal'")  # as a link in the article does
    expect(page.radio("Sort")).to_be_checked()
    expect(page.radio("Causal")).to_be_checked()


def test_sixteen_maps_fit_a_phone(open_page: Open) -> None:
    page = open_page("#layers=4&heads=4&epoch=0", reduced_motion="reduce", viewport={"width": 390, "height": 844})
    page.wait_live()
    page.wait(source="live", observed="FACE@0")
    for width in (390, 320):
        page.page.set_viewport_size({"width": width, "height": 844})
        page.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        assert page.page.evaluate("document.documentElement.scrollWidth") == width
        figures = page.figure.locator(".grid:visible figure")
        assert figures.count() == 16
        for figure in figures.all():
            assert figure.evaluate("(f) => [...f.children].every((c) => c.scrollWidth <= f.clientWidth)")
        assert page.page.get_by_role("img", name="Layer 3, head 4", exact=True).is_visible()
