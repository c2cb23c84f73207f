"""What leaves the trainer: links that open to what their sender saw, and files that say what the page says."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from expected import recording
from playwright.sync_api import Browser, Page, expect
from settings import EXPERIMENTS
from trainer_page import RUN_MS, Open, TrainerPage, open_trainer, trainer_url

from microtransformer import EpochRecord, MicroTransformer, ModelConfig, TrainConfig, Trainer, masks, tasks
from web.build.environment import node, node_env
from web.build.project import DIST, WEB
from web.build.server import Site

CALM = {"save_data": True, "reduced_motion": "reduce"}
CE_TOLERANCE = 0.02

# Links as they were written before they had a version, and links to values that there are not: what they open, where
# it is not the default, and what the reader is told.
LINKS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "": ({}, []),
    "#task=reverse&mask=causal&probe=ABCD&epoch=12&seed=0": ({"mask": "causal", "probe": "ABCD", "epoch": 12}, []),
    "#layers=3&heads=4&d=16&norm=post&scale=off&positions=off&lr=0.003&batch=256": (
        {"n_layers": 3, "n_heads": 4, "d_model": 16, "norm": "post", "scale_scores": False, "positions": False}
        | {"learning_rate": 0.003, "batch_size": 256},
        [],
    ),
    "#seed=3&epoch=5": ({"seed": 3, "trained": 5}, []),  # a run that is not recorded was trained up to its epoch
    "#seed=3&epoch=40": ({"seed": 3}, []),
    "#experiment=scaling": ({"experiment": "scaling"}, []),
    "#v=1&seed=3&epoch=5&trained=40": ({"seed": 3, "epoch": 5}, []),
    "#v=1&trained=7&epoch=5&probe=bbgh": ({"trained": 7, "epoch": 5, "probe": "BBGH"}, []),
    "#v=1&future=1&kept.future=1": ({}, []),
    "#v=2&task=copy": (
        {"task": "copy"},
        ["This link was made by a newer version of this page; what is not known here is left out."],
    ),
    "#task=sort&amp;mask=causal&lr=1e-3": ({"task": "sort", "mask": "causal"}, []),  # copied from the source of a page
    "#figure=trainer&task=sort": ({"task": "sort"}, []),  # as in the address of a frame
    "#epoch=9999": ({}, ["Epoch 9,999 is beyond this run’s last, 40; showing 40."]),
    "#trained=17&epoch=30": ({"trained": 17}, ["Epoch 30 is beyond this run’s last, 17; showing 17."]),
    "#seed=-1&epoch=x": (
        {},
        ["Seed -1 is below 0; showing 0.", "Epoch must be a whole number, which “x” is not; showing the latest."],
    ),
    "#seed=99999999999": ({"seed": 2**32 - 1}, ["Seed 99,999,999,999 is above 4,294,967,295; showing 4,294,967,295."]),
    "#lr=0.5&d=33&layers=9": (
        {"learning_rate": 0.03, "n_layers": 4},
        [
            "Layers 9 is not offered; showing the nearest, 4.",
            "Width d 33 is not offered; showing the nearest, 32.",
            "Learning rate 0.5 is not offered; showing the nearest, 0.03.",
        ],
    ),
    "#probe=XYZW": ({}, ["“X” is not one of the letters A to H. Showing FACE."]),
    "#probe=FAC": ({}, ["A probe has 4 letters, A to H; this has 3. Showing FACE."]),
    "#probe=HEADED": ({"probe": "HEAD"}, ["A probe has 4 letters; of “HEADED”, the first 4 are shown."]),
    "#task=shuffle&norm=batch&scale=maybe": (
        {},
        [
            "Task “shuffle” is not known; showing Reverse.",
            "Norm “batch” is not known; showing Pre.",
            "Scale scores can be on or off, not “maybe”; it is on.",
        ],
    ),
    "#kept.seed=123456&kept.trained=3": ({"kept": {"seed": 123456, "trained": 3}}, []),
    "#kept.task=sort&kept.trained=99": (
        {"kept": {"task": "sort", "trained": 40}},
        ["Kept run: Trained epochs 99 is beyond the length of a run, 40; showing 40."],
    ),
}

# One from a file, with settings that have no control on the page.
RUNS = [
    {
        "model": asdict(ModelConfig(scale_scores=False, d_ff=48)),
        "train": asdict(TrainConfig(task="sort", mask="causal", seed=3, learning_rate=0.003, beta1=0.8)),
    },
    {"model": asdict(ModelConfig(d_model=16, d_ff=32)), "train": asdict(TrainConfig())},
]

OPENED = """
import { openedLink } from "./src/share/opened.js";
import { DEFAULTS, PROPERTIES, RUN_NAMES, toFragment } from "./src/state.js";
import { PACKAGE } from "./src/runs/package.js";
import { runName } from "./src/share/names.js";
import { differences, differingWords } from "./src/trainer/differences.js";
const differing = (state, usual) =>
  Object.fromEntries(Object.entries(state).filter(([name, value]) => value !== usual[name]));
const [links, runs] = JSON.parse(process.argv[1]);
const words = runs.map((run, i) => [runName(run), differingWords(run), differences(run, runs[1 - i])]);
const opened = links.map((link) => {
  const { state, notices } = openedLink(link);
  const shown = differing(state, DEFAULTS);
  if (state.kept) shown.kept = differing(state.kept, DEFAULTS);
  return { shown, notices, again: JSON.stringify(openedLink(toFragment(state)).state) === JSON.stringify(state) };
});
const experiments = PROPERTIES.experiment.choices.map(([id]) => id);
console.log(JSON.stringify({ opened, experiments, PACKAGE, words }));
"""


@cache
def in_node() -> dict[str, Any]:
    """What the page's modules make of all the links, and of two runs."""
    answer = subprocess.run(
        [node(), "--input-type=module", "-e", OPENED, json.dumps([list(LINKS), list(RUNS)])],
        cwd=WEB, env=node_env(), check=True, capture_output=True, text=True,
    )  # fmt: skip
    told: dict[str, Any] = json.loads(answer.stdout)
    return told


def test_links_open_what_they_always_did_and_say_what_there_is_not() -> None:
    for (link, (shown, notices)), opened in zip(LINKS.items(), in_node()["opened"], strict=True):
        assert (opened["shown"], opened["notices"]) == (shown, notices), link
        assert opened["again"], link  # what the page writes for it means the same


def test_what_a_run_has_otherwise_is_said_in_words_and_in_names_of_files() -> None:
    assert in_node()["words"] == [
        [
            "sort-causal-seed3-scaleoff-lr0.003-d_ff=48-beta1=0.8",
            "sort, causal mask, scaling off, learning rate 0.003, seed 3, d_ff = 48, beta1 = 0.8",
            "sort, causal mask, d = 32, scaling off, learning rate 0.003, seed 3, d_ff = 48, beta1 = 0.8",
        ],
        [
            "reverse-bidirectional-seed0-d16",
            "reverse, bidirectional mask, d = 16, seed 0",
            "reverse, bidirectional mask, d = 16, scaling on, learning rate 0.001, seed 0, d_ff = 32, beta1 = 0.9",
        ],
    ]


def test_the_page_and_the_package_have_the_same_defaults() -> None:
    assert in_node()["PACKAGE"] == {"model": asdict(ModelConfig()), "train": asdict(TrainConfig())}
    assert in_node()["experiments"] == list(EXPERIMENTS)


def test_a_recording_is_cut_and_kept_as_the_link_says_and_nothing_is_downloaded(open_page: Open) -> None:
    page = open_page("#task=sort&trained=17&epoch=30&kept.task=copy&kept.mask=causal&kept.trained=5", **CALM)
    page.wait(observed="FACE@17", trained=17, kept="FACE@5", engine="recorded")
    notice = page.figure.locator(".notice")
    expect(notice).to_have_text("Epoch 30 is beyond this run’s last, 17; showing 17.")
    run = recording("sort", "bidirectional")
    assert page.curve() == [(round(r["ce"], 3), round(r["accuracy"], 3)) for r in run["history"][:18]]
    expect(page.figure.locator(".kept")).to_contain_text("Kept run: copy, causal mask. Epoch 5:")
    page.button("HEAD").click()  # the reader goes on
    expect(notice).to_be_empty()
    page.page.wait_for_url(f"{page.watch.address}#v=1&task=sort&probe=HEAD&trained=17&kept.task=copy*")

    # Another epoch and probe, and the rest as it is; the caller is told, and so is the reader.
    told = page.figure.evaluate("(figure) => figure.open({ epoch: '99', probe: 'EDGE' })")
    assert told == ["Epoch 99 is beyond this run’s last, 17; showing 17."]
    expect(notice).to_have_text(told[0])
    page.wait(observed="EDGE@17", trained=17, kept="EDGE@5")
    state = page.figure.evaluate("(figure) => figure.read()")
    assert (state["task"], state["trained"], state["kept.trained"], state["epoch"]) == ("sort", "17", "5", "")
    page.figure.evaluate("(figure) => figure.open({ 'kept.trained': '', trained: '', knobs: 'on' })")
    page.wait(observed="EDGE@40", trained=40, kept="")
    expect(page.page.get_by_label("Layers", exact=True)).to_be_visible()
    assert page.watch.runtime_requests() == []


def test_an_experiment_opens_with_its_answer_and_its_outcome(open_page: Open) -> None:
    page = open_page("#v=1&experiment=lookup&answer=1&outcome=on", **CALM)
    page.wait(experiment="lookup-done", observed="FACE@40")
    expect(page.figure.locator(".experiments")).to_contain_text("What happened: at position 3. You expected that.")
    assert page.watch.runtime_requests() == []


@pytest.fixture(scope="module")
def live(browser: Browser, site: Site) -> Iterator[TrainerPage]:
    """A run that was left after 3 epochs, at its second, with another beside it and another probe."""
    with open_trainer(browser, trainer_url(site) + "#seed=3&trained=2", reduced_motion="reduce") as page:
        page.wait_live()
        page.wait_run(2)
        page.keep_and_step(seed=4, epochs=3)
        page.probe.fill("BBGH")
        page.scrub(2, "BBGH")
        page.wait(kept="BBGH@2")
        yield page


@pytest.mark.slow
def test_a_link_opens_to_what_its_sender_saw(live: TrainerPage, open_page: Open) -> None:
    fragment = "#v=1&probe=BBGH&epoch=2&seed=4&trained=3&kept.seed=3&kept.trained=2"
    live.page.wait_for_url(live.watch.address + fragment)
    texts = [live.figure.locator(part).inner_text() for part in (".kept .which span", ".now")]
    shown = (live.scores(), live.maps(), live.answer(), live.map("Kept run: Layer 2, head 1"), live.curve())
    live.scrub(2, "BBGH")
    page = open_page(fragment, reduced_motion="reduce")
    page.wait_live()
    page.wait(RUN_MS, opening=False, trained=3, observed="BBGH@2", kept="BBGH@2")
    assert page.page.url == live.watch.address + fragment
    assert [page.figure.locator(part).inner_text() for part in (".kept .which span", ".now")] == texts
    again = (page.scores(), page.maps(), page.answer(), page.map("Kept run: Layer 2, head 1"), page.curve())
    assert again == shown
    # Another epoch of the same run starts no other.
    page.figure.evaluate("(figure) => figure.open({ epoch: '1', probe: 'FACE' })")
    page.wait(observed="FACE@1", trained=3, training=False, source="live")


def saved(page: Page, button: str) -> tuple[str, bytes]:
    """Name and content of the file that a button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


@pytest.mark.slow
def test_what_is_taken_away_says_what_the_page_says(live: TrainerPage, tmp_path: Path) -> None:
    live.figure.get_by_text("Take away").click()
    live.scrub(2, "BBGH")
    shown = [live.curve(), live.maps()]
    live.scrub(2, "BBGH")

    name, content = saved(live.page, "CSV")
    assert name == "reverse-bidirectional-seed4-epoch3.csv"
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert [(round(float(r["ce_nats"]), 3), round(float(r["accuracy"]), 3)) for r in rows] == shown[0]
    name, content = saved(live.page, "JSON")
    assert name == "reverse-bidirectional-seed4-epoch3.json"
    file = json.loads(content)
    assert (file["format"], file["train"]["seed"], file["limit"]["accuracy"]) == (1, 4, 1)
    assert [float(row["ce_nats"]) for row in rows] == [record["ce"] for record in file["history"]]
    assert (ModelConfig(**file["model"]), TrainConfig(**file["train"])) == (ModelConfig(), TrainConfig(seed=4))

    name, content = saved(live.page, "Weights of epoch 2")
    assert name == "reverse-bidirectional-seed4-epoch2-weights.npz"
    model = MicroTransformer.load(io.BytesIO(content))
    arrays = np.load(io.BytesIO(content), allow_pickle=False)
    assert set(arrays) == {*model.params, "run"}
    trace = model.trace(tasks.encode("BBGH", 8, 4), masks.additive("bidirectional", 4))
    maps = np.concatenate([trace[f"layers.{layer}.P"][0] for layer in (0, 1)])
    np.testing.assert_allclose(maps, np.array(live.maps()), atol=1e-3)
    name, content = saved(live.page, "Whole run")
    assert name == "reverse-bidirectional-seed4-epoch3.npz"
    trainer = Trainer.load(io.BytesIO(content))
    assert [record.ce for record in trainer.history] == [record["ce"] for record in file["history"]]
    np.testing.assert_array_equal(trainer.snapshots[2], model.theta)

    name, content = saved(live.page, "Save .py")
    assert name == "reverse-bidirectional-seed4.py"
    assert f"# pip install {live.watch.origin}pyodide/{wheel().name}\n" in content.decode()
    history = run_script(content.decode(), tmp_path)
    assert [r.ce for r in history] == pytest.approx([r["ce"] for r in file["history"]], abs=CE_TOLERANCE)
    native = Trainer(ModelConfig(), TrainConfig(seed=4))
    assert history == [native.history[0], *(native.run_epoch() for _ in range(3))]


def wheel() -> Path:
    (path,) = (DIST / "pyodide").glob("microtransformer-*.whl")
    return path


def run_script(script: str, folder: Path) -> list[EpochRecord]:
    """What the script prints, with nothing of ours but the site's wheel."""
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        folder / "packages",
    ]
    subprocess.run([*pip, wheel()], check=True, capture_output=True)
    where = "import microtransformer\nprint(microtransformer.__file__)\n"
    run = subprocess.run(
        [sys.executable, "-c", script + where],
        env={**os.environ, "PYTHONPATH": str(folder / "packages")}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    *lines, module = run.stdout.splitlines()
    assert module.startswith(str(folder / "packages"))
    return [eval(line, {"EpochRecord": EpochRecord}) for line in lines]


def test_the_code_is_copied_or_selected(open_page: Open) -> None:
    page = open_page("#mask=causal&trained=2", **CALM, permissions=["clipboard-read", "clipboard-write"])
    page.wait(observed="FACE@2")
    page.figure.get_by_text("Take away").click()
    code = page.figure.locator("pre").inner_text()
    assert 'TrainConfig(mask="causal"))' in code and "in range(2):" in code
    page.button("Copy").click()
    told = page.figure.locator(".told")
    expect(told).to_have_text("Copied.")
    assert page.page.evaluate("navigator.clipboard.readText()") == code
    page.page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error('not allowed'); }; }")
    page.button("Copy").click()
    expect(told).to_have_text("The code is selected: copy it with the keyboard or the menu.")
    assert page.page.evaluate("getSelection().toString()").strip() == code.strip()
    assert saved(page.page, "CSV")[0] == "reverse-causal-seed0-epoch2.csv"  # without the engine
    assert page.watch.runtime_requests() == []
