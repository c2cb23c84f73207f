"""A run kept beside the next one, and the experiments that use it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from expected import ROUNDING, native_maps, native_run, recording
from playwright.sync_api import Browser, expect
from settings import EXPERIMENTS, LABELS, configs, native_losses
from trainer_page import RUN_MS, Open, TrainerPage, open_trainer, trainer_url

from microtransformer import ModelConfig, TrainConfig
from web.build.server import Site

CALM = {"save_data": True, "reduced_motion": "reduce"}
CE_TOLERANCE = 0.02


def described(page: TrainerPage) -> dict[str, float]:
    """What the loss curve says of the epoch on screen, by the names of its lines."""
    text = page.page.get_by_role("img", name="Loss curve").get_attribute("aria-description") or ""
    return {name.strip(): float(value) for name, value in re.findall(r"([a-z ]+) (\d+\.\d+)", text.split(": ", 1)[1])}


def kept_maps(page: TrainerPage) -> list[list[list[float | None]]]:
    return [page.map(f"Kept run: Layer {layer}, head {head}") for layer in (1, 2) for head in (1, 2)]


def test_a_recorded_run_stays_beside_the_next(open_page: Open) -> None:
    page = open_page(**CALM)
    page.wait(observed="FACE@40")
    first = page.curve()
    page.button("Keep this run for comparison").click()
    page.choose("copy", "causal")
    kept = page.figure.locator(".kept")
    expect(kept).to_contain_text("Kept run: reverse, bidirectional mask.")
    expect(page.figure.locator(".now")).to_contain_text("This run: copy, causal mask.")
    for epoch in (0, 7, 40):
        page.scrub(epoch)
        page.wait(kept=f"FACE@{epoch}")
        ce, accuracy = first[epoch]
        assert described(page)["kept run"] == ce
        expect(kept).to_contain_text(f"Epoch {epoch}: CE {ce:.3f} nats, accuracy {accuracy:.1%}.")
        flat = [w for rows in kept_maps(page) for row in rows for w in row]
        recorded = recording("reverse", "bidirectional")["probes"]["FACE"][epoch]["attention"]
        assert flat == pytest.approx(recorded, abs=ROUNDING)
    page.button("EDGE").click()
    page.wait(observed="EDGE@40", kept="EDGE@40")
    assert page.page.evaluate("document.documentElement.scrollWidth") == 1280
    page.button("Drop").click()
    expect(kept).to_be_hidden()
    expect(page.button("Keep this run for comparison")).to_be_focused()
    page.scrub(39, "EDGE")
    assert "kept run" not in described(page)


@pytest.fixture(scope="module")
def live(browser: Browser, site: Site) -> Iterator[TrainerPage]:
    with open_trainer(browser, trainer_url(site) + "#seed=3&epoch=2", reduced_motion="reduce") as page:
        page.wait_live()
        page.wait_run(2)
        yield page


def test_a_live_run_is_kept_in_the_engine(live: TrainerPage) -> None:
    first = live.curve()
    live.keep_and_step(seed=4, epochs=3)
    kept = live.figure.locator(".kept")
    expect(kept).to_contain_text("Kept run: seed 3.")
    run = native_run("reverse", "bidirectional", 3, 2)
    for probe in ("FACE", "BBGH"):  # the second in no recording
        live.probe.fill(probe)
        for epoch in (0, 2):
            live.scrub(epoch, probe)
            live.wait(kept=f"{probe}@{epoch}")
            assert described(live)["kept run"] == first[epoch][0]
            native = native_maps(run, epoch, probe).ravel().tolist()
            assert [w for rows in kept_maps(live) for row in rows for w in row] == pytest.approx(native, abs=0.02)
    live.scrub(3, "BBGH")
    expect(kept).to_contain_text(f"Epoch 2: CE {first[2][0]:.3f} nats")  # its last
    live.wait(kept="BBGH@2")


def test_a_recorded_kept_run_says_which_probes_it_knows(live: TrainerPage) -> None:
    live.button("Drop").click()
    live.probe.fill("BBGH")
    choose(live, "causal")
    live.button("Run it").click()
    gap = live.figure.locator(".gap")
    expect(gap).to_contain_text("maps for FACE, HEAD, ABCD, EDGE only")
    live.button("HEAD").click()
    expect(gap).to_be_empty()
    live.wait(training=True)
    live.button("Pause").click()
    live.wait(training=False)


def choose(page: TrainerPage, experiment: str) -> None:
    page.page.evaluate("(id) => { location.hash = `#experiment=${id}`; }", experiment)
    page.wait(experiment=f"{experiment}-chosen")


@dataclass
class Shown:
    """What an experiment is expected to show of itself, besides the numbers."""

    answer: str
    see: str


EXPECTED = {
    "lookup": Shown("at position 3", "of its weight on position 3"),
    "shapes": Shown("less well", "parameters instead of 21,280"),
    "scaling": Shown("less well", "with scaling"),
    "saturation": Shown("all weight on one key, often a wrong one", "the largest weight of a row of layer 1"),
    "causal": Shown("the last two; it must guess the first two", "no model under this mask can go below 1.040"),
    "norm": Shown("hardly better than guessing", "with the norm before each sublayer"),
}


@pytest.mark.slow
@pytest.mark.parametrize("experiment", EXPECTED)
def test_an_experiment_sets_exactly_its_settings_and_shows_what_it_promises(live: TrainerPage, experiment: str) -> None:
    setup, shown = EXPERIMENTS[experiment], EXPECTED[experiment]
    live.button("FACE").click()
    choose(live, experiment)
    panel = live.figure.locator(".experiments")
    expect(panel).to_be_in_viewport()
    expect(panel).to_contain_text("Before you run it:")
    expect(panel).not_to_contain_text("What to see:")
    answers = panel.get_by_role("radiogroup", name="Your expectation").get_by_role("radio")
    answers.first.check()
    live.button("Run it").click()
    live.page.wait_for_selector(f"micro-trainer[data-experiment={experiment}-done]", timeout=RUN_MS)
    expect(panel).to_contain_text(f"What happened: {shown.answer}. You expected “")
    expect(panel).to_contain_text("What to see:")
    expect(panel).to_contain_text(shown.see)
    settings = setup["settings"] or {}
    if live.figure.locator(".knobs").get_attribute("open") is None:
        live.figure.get_by_text("Model and training").click()
    cfg, train = configs(settings)
    values = vars(cfg) | vars(train)
    for name, label in LABELS.items():
        field = live.page.get_by_label(label, exact=True)
        if isinstance(values[name], bool):
            expect(field).to_be_checked(checked=values[name])
        else:
            expect(field).to_have_value(str(values[name]))
    expect(live.radio(train.task.capitalize())).to_be_checked()
    expect(live.radio(train.mask.capitalize())).to_be_checked()
    # At thirty times the default learning rate, sums in another order soon lead elsewhere: there, the untrained model.
    epoch = 1 if train.learning_rate == TrainConfig().learning_rate else 0
    live.scrub(epoch)
    assert live.scores()[0] == pytest.approx(native_losses(settings, 1)[epoch], abs=CE_TOLERANCE)
    compare = setup["compare"]
    if compare is None:
        expect(live.figure.locator(".kept")).to_be_hidden()
    else:
        assert described(live)["kept run"] == pytest.approx(native_losses(compare, 1)[epoch], abs=CE_TOLERANCE)
        live.wait(kept=f"FACE@{epoch}")
    assert ModelConfig().d_k == 16  # of which the question about scaling takes the root


def test_a_link_to_an_experiment_opens_it_and_starts_nothing(open_page: Open) -> None:
    page = open_page("#experiment=scaling", **CALM)
    page.wait(experiment="scaling-chosen", engine="recorded", observed="FACE@40")
    panel = page.figure.locator(".experiments")
    expect(panel.get_by_role("radio", name="Leave the scores unscaled")).to_be_checked()
    expect(panel).to_be_in_viewport()
    page.page.evaluate("scrollTo(0, 0); location.hash = '#experiment=nothing'")  # of which there is none
    page.wait(experiment="scaling-chosen")
    page.page.evaluate("location.hash = '#experiment=causal'")
    page.wait(experiment="causal-chosen")
    expect(panel).to_be_in_viewport()
    assert page.watch.runtime_requests() == []


def test_another_setting_during_an_experiment_ends_it(live: TrainerPage) -> None:
    choose(live, "shapes")
    live.button("Run it").click()
    live.wait(experiment="shapes-run")
    live.radio("Copy").check()
    live.wait(experiment="shapes-chosen")
    expect(live.figure.locator(".experiments")).not_to_contain_text("What to see")
    live.button("Pause").click()
    live.wait(training=False)
