"""<shape-table>: rows and shapes are the catalogue's, tensors are those of the run on screen, and sums add up."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from expected import native_run
from figure_page import FigurePage
from playwright.sync_api import Route, expect
from trainer_page import Open, TrainerPage

from microtransformer import ModelConfig, TrainConfig, Trainer, tasks, theory
from microtransformer.catalogue import CATALOGUE, TABLE
from web.build.project import DIST

TAG = "shape-table"
PER_HEAD = {"Q", "K", "V", "S", "P", "O"}
EPOCH, PROBE = 2, "CAFE"
"""Early, so that rounding has had little time to grow; see test_live.py."""


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("-∞", "-inf"))


class ShapeTable(FigurePage):
    def open(self, row: int) -> None:
        """Open a row, unless it is, and wait until its tensors are there."""
        # By attributes: a search by role looks at every cell of three matrices, and takes a second.
        button = self.figure.locator(f"button[aria-label='Numbers of {', '.join(TABLE[row])}']")
        if button.get_attribute("aria-expanded") == "false":
            button.click()
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(self.figure.locator(".detail:not(.waiting) .points")).to_have_count(len(TABLE[row]))
        expect(self.figure.locator(".points caption").first).to_have_text(re.compile(rf"^{TABLE[row][0]}, layer"))

    def choose(self, what: str, number: int) -> None:
        """A layer or a head, from 1, and wait for it."""
        self.figure.locator(f"[role=radiogroup][aria-label={what}] input").nth(number - 1).check()
        expect(self.figure.locator(".map .caption").first).to_contain_text(f"{what.lower()} {number}")

    def map(self, i: int) -> list[list[float]]:
        """The numbers in a map's cells; minus infinity: not allowed."""
        rows: list[list[str]] = self.figure.locator(f"[data-map='{i}'] tbody").evaluate(
            "(body) => [...body.rows].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))"
        )
        return [[number(text) for text in row] for row in rows]

    def point(self, row: int, column: int) -> str:
        """Point at a cell of the first map; what is said about it once its explanation is there, if it has one."""
        cells = self.figure.locator("[data-map='0'] tbody tr").nth(row).locator("td")
        cells.nth(column).hover()
        expect(cells.nth(column)).to_have_class(re.compile(r"\bpointed\b"))
        return self.part("cell").inner_text()

    def terms(self) -> list[list[float]]:
        texts: list[list[str]] = self.figure.locator(".terms li:not(.heads)").evaluate_all(
            "(items) => items.map((item) => [...item.querySelectorAll('span')].map((span) => span.textContent))"
        )
        return [[number(text) for text in term] for term in texts]

    def size(self) -> tuple[float, float]:
        box = self.figure.bounding_box()
        assert box
        return box["width"], box["height"]

    def shapes(self) -> list[str]:
        return self.figure.locator("td.shape .lengths").all_inner_texts()


def opened(open_article: Open, **options: Any) -> ShapeTable:
    """With data saved by default: only what is not recorded starts the engine."""
    return ShapeTable(open_article(save_data=True, reduced_motion="reduce", **options), TAG)


def expected_shapes(cfg: ModelConfig) -> list[str]:
    found = []
    for row in theory.shapes_table(cfg):
        sizes = [str(n) for axis, n in zip(row["axes"], row["shape"], strict=True) if axis not in ("B", "H")]
        found.append(f"[{', '.join(sizes)}]" + (f" × {cfg.n_heads} heads" if "H" in row["axes"] else ""))
    return found


def expected_map(trainer: Trainer, epoch: int, probe: str, id: str, layer: int, head: int) -> Any:
    model = trainer.model_at(epoch)
    if id.startswith("W"):
        return model.params[CATALOGUE[id].name(layer)]
    traced = model.trace(tasks.encode(probe, 8, 4), trainer.mask)[CATALOGUE[id].name(layer)][0]
    return traced[head] if id in PER_HEAD else traced


def check_maps(table: ShapeTable, run: tuple[Trainer, int, str], row: int, layer: int, head: int, atol: float) -> None:
    for i, id in enumerate(TABLE[row]):
        np.testing.assert_allclose(table.map(i), expected_map(*run, id, layer, head), atol=atol, err_msg=id)


def test_the_recorded_table_is_the_catalogue_and_opens_without_an_engine(open_article: Open) -> None:
    table = opened(open_article)
    cfg = ModelConfig()
    assert table.shapes() == expected_shapes(cfg)
    places = table.figure.locator(".meaning .line").all_inner_texts()
    meanings = table.figure.locator(".meaning").all_inner_texts()
    equals = table.figure.locator("tr[data-row] > td:nth-child(2)")
    for i, row in enumerate(theory.shapes_table(cfg)):
        assert places[i] == f"{row['sources'][0]}, line {row['lines'][0]}"
        assert all(meaning in meanings[i] for meaning in row["meanings"])
        formulas = [tex for tex in row["expressions"] if tex]
        drawn = equals.nth(i).locator("math").evaluate_all("(all) => all.map((math) => math.getAttribute('alttext'))")
        assert drawn == formulas
    before = table.size()
    table.point(0, 3)
    run = (native_run("reverse", "bidirectional"), 40, "FACE")
    for layer in (0, 1):
        for row in range(len(TABLE)):
            table.open(row)
            table.choose("Layer", layer + 1)
            check_maps(table, run, row, layer, head=0, atol=0.0051)
    table.open(3)
    table.choose("Head", 2)
    check_maps(table, run, 3, layer=1, head=1, atol=0.0051)
    # A recorded cell of P, by keyboard.
    table.open(4)
    table.choose("Head", 1)
    table.choose("Layer", 1)
    points = table.figure.locator("[data-map='0']")
    points.focus()
    points.press("ArrowDown")
    points.press("ArrowLeft")
    expect(table.part("cell")).to_contain_text("Query A (position 1), key C (position 2): ")
    weight = expected_map(*run, "P", 0, 0)[1, 2]
    assert number(table.part("cell").inner_text().rpartition(" ")[2]) == pytest.approx(weight, abs=0.0006)
    expect(table.part("made")).to_contain_text("Softmax of row A of")
    assert table.answered()[1]["index"] == [0, 1, 2]
    assert table.size() == before
    # Close and open by keyboard.
    button = table.figure.get_by_role("button", name="Numbers of P", exact=True)
    button.press("Enter")
    expect(table.figure.locator(".detail")).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")
    button.press("Space")
    expect(table.figure.locator(".detail")).to_be_visible()
    expect(table.part("run")).to_have_text("reverse, bidirectional mask, seed 0; epoch 40; probe FACE")
    expect(table.figure).to_have_attribute("data-source", "recorded")
    assert table.watch.runtime_requests() == []


def test_nothing_is_wider_than_a_phone(open_article: Open) -> None:
    table = opened(open_article, viewport={"width": 320, "height": 700})
    for row in range(len(TABLE)):
        table.open(row)
        outside = table.figure.evaluate(
            """(figure) => {
              const right = Math.min(320, figure.getBoundingClientRect().right);
              return [...figure.querySelectorAll("td, th, li, p, .map")]
                .filter((element) => element.getBoundingClientRect().right > right + 0.5)
                .map((element) => element.outerHTML.slice(0, 80));
            }"""
        )
        assert outside == []
    assert table.watch.runtime_requests() == []


def test_a_live_row_is_of_the_run_on_screen_and_its_cells_add_up(open_article: Open) -> None:
    page = open_article(f"#epoch={EPOCH}&probe={PROBE}&mask=causal", reduced_motion="reduce")
    table = ShapeTable(page, TAG)
    before = table.size()
    table.go_live()
    expect(table.part("run")).to_have_text(f"reverse, causal mask, seed 0; epoch {EPOCH}; probe {PROBE}")
    assert table.size() == before
    trainer = native_run("reverse", "causal")
    run = (trainer, EPOCH, PROBE)
    for row in range(len(TABLE)):
        table.open(row)
        table.choose("Layer", 2)
        if TABLE[row][0] in PER_HEAD:
            table.choose("Head", 2)
        check_maps(table, run, row, layer=1, head=1, atol=0.0151)
    assert table.shapes() == expected_shapes(ModelConfig())

    model = trainer.model_at(EPOCH)
    trace = model.trace(tasks.encode(PROBE, 8, 4), trainer.mask)
    for row, id, cell in ((3, "S", (2, 1)), (3, "S", (0, 2)), (5, "O", (3, 9)), (7, "Y", (1, 30))):
        table.open(row)
        table.page.mouse.move(0, 0)
        said = table.point(*cell)
        index = [*([1] if id != "Y" else []), *cell]
        table.figure.page.wait_for_selector(f"{TAG}[data-answered*='\"index\":[{','.join(map(str, index))}]']")
        answer = theory.explain_cell(model, trace, id, [0, *index], layer=1)
        terms = np.array(table.terms())
        np.testing.assert_allclose(terms[:, 0] * terms[:, 1], terms[:, 2], atol=0.005)
        np.testing.assert_allclose(terms, np.array([answer["left"], answer["right"], answer["products"]]).T, atol=0.015)
        total = number(table.figure.locator("output.total").inner_text())
        assert terms[:, 2].sum() == pytest.approx(total, abs=0.02)
        if answer["value"] is None:
            assert "is not allowed to look at" in said
            expect(table.part("made")).to_contain_text("the mask adds −∞")
        else:
            assert number(said.rpartition(" ")[2]) == pytest.approx(total * answer["factor"], abs=0.0011)

    table.open(4)
    said = table.point(3, 1)
    table.figure.page.wait_for_selector(f"{TAG}[data-answered*='\"index\":[1,3,1]']")
    weight = theory.explain_weight(trace, [0, 1, 3, 1], layer=1)
    terms = np.array(table.terms())
    np.testing.assert_allclose(terms, np.array([weight["scores"], weight["exponentials"]]).T, atol=0.01)
    assert number(said.rpartition(" ")[2]) == pytest.approx(terms[1, 1] / terms[:, 1].sum(), abs=0.0011)

    # Another epoch: asked about when the figure is in sight again.
    page.scrub(1, PROBE)
    table.figure.scroll_into_view_if_needed()
    expect(table.part("run")).to_contain_text(f"epoch 1; probe {PROBE}")
    check_maps(table, (trainer, 1, PROBE), 4, layer=1, head=1, atol=0.0151)


def test_alone_on_a_page_it_trains_the_default_run(open_article: Open) -> None:
    def alone(route: Route) -> None:
        text = (DIST / "index.html").read_text(encoding="utf-8")
        text = re.sub(r"<micro-trainer>.*</micro-trainer>", "", text, flags=re.DOTALL)
        text = re.sub(rf"<{TAG}>.*</{TAG}>", f"<{TAG}></{TAG}>", text, flags=re.DOTALL)
        route.fulfill(body=text, content_type="text/html")

    def prepare(page: TrainerPage) -> None:
        page.page.route(re.compile(r"/$"), alone)

    table = ShapeTable(open_article(prepare=prepare, reduced_motion="reduce"), TAG)
    expect(table.figure.locator("tr[data-row]")).to_have_count(len(TABLE))
    table.open(2)
    table.go_live()
    expect(table.part("run")).to_have_text("reverse, bidirectional mask, seed 0; epoch 40; probe FACE")
    table.open(7)
    table.figure.locator("[data-map='0']").focus()
    for _ in range(40):
        table.page.keyboard.press("ArrowRight")
    expect(table.part("cell")).to_contain_text("Y, token F (position 0), column 31: ")
    expect(table.part("made")).to_contain_text("column 31 of")


def test_shapes_follow_the_model(open_article: Open) -> None:
    table = ShapeTable(open_article("#layers=1&heads=4&d=16&epoch=1", reduced_motion="reduce"), TAG)
    table.open(2)
    table.go_live()
    cfg = ModelConfig(n_layers=1, n_heads=4, d_model=16, d_ff=32)
    assert table.shapes() == expected_shapes(cfg)
    expect(table.figure.locator("input[name=shape-layer]")).to_have_count(1)
    table.choose("Head", 4)
    trainer = Trainer(cfg, TrainConfig())
    trainer.run_epoch()
    check_maps(table, (trainer, 1, "FACE"), 2, layer=0, head=3, atol=0.0151)
