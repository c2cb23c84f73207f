"""Runs that come into the trainer from files: made natively or saved by a page, and files that are none."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from expected import native_maps
from playwright.sync_api import Browser, expect
from settings import LABELS
from trainer_page import TrainerPage, open_trainer, trainer_url

from microtransformer import ModelConfig, TrainConfig, Trainer
from microtransformer.playground import describe
from web.build.server import Site

CE_TOLERANCE = 0.02
NPZ, JSON = "application/zip", "application/json"


def native(train: TrainConfig, cfg: ModelConfig | None = None, epochs: int = 2) -> Trainer:
    trainer = Trainer(cfg or ModelConfig(), train)
    for _ in range(epochs):
        trainer.run_epoch()
    return trainer


def saved(trainer: Trainer) -> bytes:
    file = io.BytesIO()
    trainer.save(file)
    return file.getvalue()


def weights(trainer: Trainer) -> bytes:
    file = io.BytesIO()
    trainer.model.save(file)
    return file.getvalue()


def run_file(trainer: Trainer, **changes: Any) -> bytes:
    """As `python -m microtransformer train --json` writes it."""
    history = [asdict(record) for record in trainer.history]
    return json.dumps({"format": 1} | describe(trainer) | {"history": history} | changes).encode()


def open_file(page: TrainerPage, name: str, content: bytes, kind: str = NPZ) -> None:
    page.figure.locator("input[type=file]").set_input_files({"name": name, "mimeType": kind, "buffer": content})


@pytest.fixture(scope="module")
def page(browser: Browser, site: Site) -> Iterator[TrainerPage]:
    """With a recorded run on screen; the first file starts the engine."""
    with open_trainer(browser, trainer_url(site) + "#task=sort", save_data=True, reduced_motion="reduce") as page:
        page.wait(observed="FACE@40")
        page.figure.get_by_text("Model and training").click()
        yield page


@pytest.mark.slow
def test_a_native_run_opens_with_all_its_epochs_and_goes_on(page: TrainerPage) -> None:
    train = TrainConfig(mask="causal", seed=5, epochs=3, learning_rate=0.002, weight_decay=0.01)
    trainer = native(train, ModelConfig(d_ff=48))
    open_file(page, "mine.npz", saved(trainer))
    page.wait_live()
    page.wait(source="live", trained=2, observed="FACE@2")
    expect(page.figure.locator(".notice")).to_have_text(
        re.compile("^Opened mine.npz: reverse, causal mask, 2 of 3 epochs. ")
    )
    expect(page.figure.locator(".size")).to_contain_text("d_ff = 48, epochs = 3, weight_decay = 0.01. Train keeps them")
    expect(page.status).to_contain_text("comes from the file mine.npz")
    expect(page.page.get_by_label(LABELS["learning_rate"], exact=True)).to_have_value("0.002")
    expect(page.seed).to_have_value("5")
    page.figure.get_by_role("button", name="Share:").click()
    page.button("Copy link").click()
    expect(page.figure.locator(".tools [role=status]")).to_contain_text("the file’s run stays here.")
    for epoch in (0, 2):
        page.scrub(epoch)
        shown = [[cell or 0.0 for cell in row] for rows in page.maps() for row in rows]
        np.testing.assert_allclose(shown, native_maps(trainer, epoch, "FACE").reshape(-1, 4), atol=1e-3)
    page.scrub(2)
    assert page.curve() == [(round(r.ce, 3), round(r.accuracy, 3)) for r in trainer.history]
    page.button("Train").click()
    page.wait_run(3)
    assert page.epochs() == 3
    assert page.scores()[0] == pytest.approx(trainer.run_epoch().ce, abs=CE_TOLERANCE)
    # Another setting leaves what has no control here.
    page.page.get_by_label(LABELS["learning_rate"], exact=True).select_option("0.001")
    page.wait(source="live", trained=0, observed="FACE@0")
    expect(page.figure.locator(".size")).not_to_contain_text("file")
    assert page.epochs() == 40


@pytest.mark.slow
def test_the_settings_of_a_run_file_are_trained_again(page: TrainerPage) -> None:
    trainer = native(TrainConfig(task="copy", seed=6, batch_size=128))
    page.page.evaluate("globalThis.left = false; addEventListener('beforeunload', () => { left = true; })")
    content = run_file(trainer).decode()
    page.figure.evaluate(  # dropped on the figure
        """(figure, text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "run.json"));
          const drop = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
          return ["dragover", "drop"].map((type) => figure.querySelector(".caption").dispatchEvent(drop(type)));
        }""",
        content,
    )
    notice = page.figure.locator(".notice")
    expect(notice).to_have_text(
        re.compile(r"differ by (less than 0.000001 nats|at most 0\.\d+ nats, at epoch \d)\.$"), timeout=20_000
    )
    page.wait_run(2)
    assert [ce for ce, _ in page.curve()] == pytest.approx([r.ce for r in trainer.history], abs=CE_TOLERANCE)


def test_a_file_that_is_no_run_leaves_the_one_on_screen(page: TrainerPage) -> None:
    page.page.wait_for_selector("micro-trainer[data-training=false]")
    before = page.state("observed"), page.scores(), page.state("source")
    small = native(TrainConfig(), ModelConfig(seq_len=3), 0)
    run = native(TrainConfig(), epochs=0)
    notice = page.figure.locator(".notice")
    for name, content, said in [
        ("a.png", b"\x89PNG\r\n", "it is neither an .npz archive nor JSON."),
        ("b.npz", saved(run)[:-100], "The file is not a saved run of microtransformer: "),
        ("c.npz", saved(small), "The run in the file has seq_len = 3; what can be shown here is 4."),
        ("d.npz", weights(run), "The file is not a saved run of microtransformer: it holds the weights of one model,"),
        ("d.json", b"[]", "it lacks the settings “model”."),
        ("e.json", run_file(small), "its seq_len is 3; what can be shown here is 4."),
        ("f.json", run_file(run, format=2), "its format is 2, and this page reads format 1 only."),
        ("g.json", run_file(run, history=[{"epoch": 0}]), "entry 0 of its history is not the record of epoch 0."),
        ("h.json", run_file(run, train={"dropout": 0.5}), "There is no setting 'dropout'; "),
        ("i.json", run_file(run, model={"norm": "batch"}), "norm must be "),
        ("j.json", b" " * 16_000_001, "it is no .npz archive, and too large for a run file."),
    ]:
        open_file(page, name, content, NPZ if name.endswith("npz") else JSON)
        expect(notice).to_contain_text(f"{name} was not opened: {said}")
        expect(notice).to_have_text(re.compile(r" The run on screen has stayed\.$"))
        assert (page.state("observed"), page.scores(), page.state("source")) == before
    page.button("Step").click()  # and goes on
    page.wait_run(3)
    expect(page.radio("Copy")).to_be_checked()
