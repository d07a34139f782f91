"""`catalog sample, infer, build, show` as a person types them."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mystery_shopper.catalog import folder as folders
from mystery_shopper.catalog import parse_domain
from mystery_shopper.cli import main
from mystery_shopper.cli.catalog import rows_told
from mystery_shopper.sources import building


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs the command in this process, in an empty folder, on 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def invoke(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["mystery-shopper", "catalog", *map(str, arguments)])
        code: Any = 0
        try:
            main.run()
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return invoke


@pytest.fixture
def drafted(run: Run) -> Run:
    """A folder with 600 products of the shop and the draft of their domain."""
    assert run("sample", "--out", "products.csv", "--products", 600).code == 0
    assert run("infer", "products.csv", "--out", "mine.yaml").code == 0
    return run


def test_from_sample_to_show(drafted: Run, tmp_path: Path) -> None:
    built = drafted("build", "products.csv", "--domain", "mine.yaml", "--out", "mine")
    assert built.code == 0
    assert "600 rows read, 600 kept" in built.out
    assert "Next: mystery-shopper catalog show mine" in built.out
    shown = drafted("show", "mine", "--no-tiers")
    assert shown.code == 0
    assert "products: 600 products" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80
    assert max(map(len, built.out.splitlines())) <= 80
    assert (tmp_path / "mine" / "domain.yaml").read_bytes() == (tmp_path / "mine.yaml").read_bytes()


def test_json_holds_what_the_text_shows(drafted: Run) -> None:
    drafted("build", "products.csv", "--domain", "mine.yaml", "--out", "mine", "--name", "x")
    found = json.loads(drafted("show", "mine", "--format", "json").out)
    assert (found["name"], found["items"]) == ("x", 600)
    fields = {field["name"]: field for field in found["fields"]}
    assert 40 < fields["brand"]["labels"] <= 60
    assert len(fields["brand"]["top"]) == 10
    assert fields["price"]["bounds"] == sorted(fields["price"]["bounds"])
    assert found["formats"]["column"] == "stock"
    assert {tier["tier"] for tier in found["tiers"]} == {"simple", "medium", "complex"}


def test_infer_prints_the_yaml_alone_to_stdout(drafted: Run) -> None:
    found = drafted("infer", "products.csv", "--name", "chairs")
    domain = parse_domain(found.out.encode(), "stdout")
    assert (domain.name, domain.noun.singular) == ("chairs", "chair")
    assert "popularity: sold" not in found.err
    assert "10 fields, 7 of which carry requirements; guessed from the columns in all" in found.err


def test_the_names_of_shipped_catalogues_are_not_proposed(drafted: Run, tmp_path: Path) -> None:
    (tmp_path / "shop.csv").write_bytes((tmp_path / "products.csv").read_bytes())
    found = drafted("infer", "shop.csv", "--out", "books.yaml")
    assert parse_domain((tmp_path / "books.yaml").read_bytes(), "x").name == "my-shop"
    assert found.err.rstrip().endswith("--domain books.yaml --out my-books")
    assert "--out my-films.yaml" in drafted("sample", "--out", "films.csv", "--products", "9").err


def test_the_purchases_have_a_next_step_over_what_will_be_built(drafted: Run) -> None:
    made = drafted("sample", "--out", "shop.csv", "--products", "30", "--purchases", "bought.csv")
    first, last = made.err.rstrip().splitlines()[-2:]
    words = shlex.split(first.partition(": mystery-shopper catalog ")[2])
    built = drafted(*words).err.rstrip().rpartition("--out ")[2]
    assert last.endswith(
        f"mystery-shopper generate recbench --catalog {built} --histories bought.csv"
    )
    assert "--histories" not in drafted("sample", "--out", "b.csv", "--products", "9").err


def test_nothing_is_overwritten(drafted: Run, tmp_path: Path) -> None:
    before = (tmp_path / "mine.yaml").read_bytes()
    assert drafted("infer", "products.csv", "--out", "mine.yaml").code == 2
    assert drafted("sample", "--out", "products.csv").code == 2
    assert (tmp_path / "mine.yaml").read_bytes() == before
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine", encoding="utf-8")
    found = drafted("build", "products.csv", "--domain", "mine.yaml", "--out", "mine")
    assert found.code == 2
    assert "is not empty" in found.err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_bad_values_stop_the_build_or_are_left_out_as_asked(drafted: Run, tmp_path: Path) -> None:
    path = tmp_path / "products.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    cells = lines[41].split(",")
    cells[7] = "on request"
    lines[41] = ",".join(cells)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    build = ("build", "products.csv", "--domain", "mine.yaml", "--out", "mine")
    stopped = drafted(*build)
    assert stopped.code == 2
    assert "line 42, column 'price'" in stopped.err
    assert not (tmp_path / "mine").exists()
    skipped = drafted(*build, "--on-error", "skip")
    assert skipped.code == 0
    assert "1 value dropped: is not a number" in skipped.out
    assert "line 42, column price: 'on request'" in skipped.out


@pytest.mark.parametrize("place", ["building", "writing"])
def test_an_interruption_leaves_no_folder(
    drafted: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def interrupt(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    if place == "building":
        monkeypatch.setattr(building, "build_from_table", interrupt)
    else:
        monkeypatch.setattr(folders, "_publish", interrupt)
    before = sorted(tmp_path.iterdir())
    found = drafted("build", "products.csv", "--domain", "mine.yaml", "--out", "mine")
    assert found.code == 130
    assert sorted(tmp_path.iterdir()) == before


def test_bad_input_exits_2_with_a_remedy(run: Run, tmp_path: Path) -> None:
    assert run("infer", "nowhere.csv").code == 2
    assert run("show", "nowhere").code == 2
    (tmp_path / "a.csv").write_text("id,title\n1,a\n2,b\n", encoding="utf-8")
    found = run("build", "a.csv", "--domain", "nowhere.yaml", "--out", "mine")
    assert found.code == 2
    assert "catalog infer" in found.err


def test_a_folder_named_like_a_built_in_catalogue_is_told_apart(drafted: Run) -> None:
    found = drafted("build", "products.csv", "--domain", "mine.yaml", "--out", "shop")
    assert "catalog show ./shop" in found.out
    assert "600 products" in drafted("show", "./shop", "--no-tiers").out


@pytest.mark.parametrize(
    ("seconds", "told"),
    [((0, 1, 1), []), ((0, 3, 3, 4, 14, 14), ["Reading: 1 rows", "Reading: 3 rows"])],
)
def test_a_long_build_tells_how_far_it_is(
    seconds: tuple[int, ...], told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ticks = iter(seconds)
    rows = 0
    with rows_told("Reading", lambda: float(next(ticks))) as advance:
        for rows in (1, 2, 3)[: 3 if told else 2]:
            advance(rows)
    assert capsys.readouterr().err.splitlines() == told


def test_a_catalogue_is_written_for_an_agent_of_ones_own(run: Run, tmp_path: Path) -> None:
    found = run("export", "films:5000", "--out", "films.csv")
    assert (found.code, found.err.strip()) == (0, "5,000 films -> films.csv")
    assert (tmp_path / "films.csv").read_text(encoding="utf-8").startswith("item_id,title,genre,")
    assert "the file exists" in run("export", "films:5000", "--out", "films.csv").err
