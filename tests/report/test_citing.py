"""BibTeX that parses, and a paragraph whose every number is the runs' own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.plan import ModelOptions, UserOptions
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError
from mystery_shopper.report.bibtex import tex
from mystery_shopper.report.citing import bibtex, methods, read_cited
from mystery_shopper.suites.tau_rec.reference import AGENTS

from ..engine.bundling.helpers import played
from ..engine.helpers import few_films, write_tasks

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("tasks"))


def parse_bibtex(text: str) -> dict[str, tuple[str, dict[str, str]]]:
    """key -> (type, fields): a reader of the grammar that stands in BibTeX's manual, for entries
    with braced values. Raises ValueError where the text is none."""
    entries: dict[str, tuple[str, dict[str, str]]] = {}
    place = 0
    while (start := text.find("@", place)) >= 0:
        head = re.compile(r"@(\w+)\{([\w:-]+),\s*").match(text, start)
        if head is None:
            raise ValueError(f"no entry at {start}")
        place, fields = head.end(), {}
        while text[place] != "}":
            name = re.compile(r"(\w+)\s*=\s*\{").match(text, place)
            if name is None:
                raise ValueError(f"no field at {place}: {text[place : place + 20]!r}")
            depth, end = 1, name.end()
            while depth:
                if text[end] == "\\":
                    end += 1
                elif text[end] in "{}":
                    depth += 1 if text[end] == "{" else -1
                end += 1
            fields[name[1]] = text[name.end() : end - 1]
            rest = re.compile(r",?\s*").match(text, end)
            assert rest is not None
            place = rest.end()
        entries[head[2]] = (head[1], fields)
        place += 1
    return entries


def test_the_packaged_citation_file_is_the_repositorys() -> None:
    packaged = ROOT / "src" / "mystery_shopper" / "data" / "CITATION.cff"
    assert packaged.read_bytes() == (ROOT / "CITATION.cff").read_bytes()


def test_bibtex_says_what_the_citation_file_does(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file)
    entries = parse_bibtex(bibtex(read_cited([folder], {})))
    known = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    kind, fields = entries["mystery_shopper"]
    assert kind == "software"
    assert fields["title"] == f"{{{known['title']}}}"
    assert fields["version"] == folder.plan().version == known["version"]
    assert fields["year"] == str(known["date-released"].year)
    paper = known["references"][0]
    _, fields = entries["tau_rec"]
    assert fields["title"] == f"{{{paper['title']}}}"
    assert fields["eprint"] == "2611.04459"
    assert fields["eprint"] in paper["notes"]
    assert fields["author"] == "Narasimhan, Bharath Sivaram and Narasimhan, Karthik R."
    assert fields["year"] == "2026"
    assert set(entries) == {"mystery_shopper", "tau_rec"}


def test_another_version_has_no_date(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file, changes={"version": "0.0.7"})
    _, fields = parse_bibtex(bibtex(read_cited([folder], {})))["mystery_shopper"]
    assert fields["version"] == "0.0.7"
    assert "year" not in fields


def test_marks_of_tex_are_escaped() -> None:
    text = tex(r"A & B: 100 % of $5 #1 x_y {z} ~ ^ \ ")
    assert text == (
        r"A \& B: 100 \% of \$5 \#1 x\_y \{z\} \textasciitilde{} \textasciicircum{}"
        r" \textbackslash{} "
    )
    parsed = parse_bibtex("@misc{k,\n  title = {" + text + "}\n}\n")
    assert parsed["k"][1]["title"] == text


def _text(folders: list[RunFolder]) -> str:
    return methods(read_cited(folders, {folders[0].plan().task_set: few_films()}))


def test_the_paragraph_tells_the_runs_own_numbers(task_file: str, tmp_path: Path) -> None:
    one = played(tmp_path / "one", task_file, trials=2, seed=7)
    two = played(tmp_path / "two", task_file, agent="null", by=AGENTS["null"], trials=2, seed=7)
    text = _text([one, two])
    plan = one.plan()
    for part in (
        f"Mystery Shopper {plan.version} [mystery_shopper]",
        "suite tau_rec [tau_rec]",
        f"tau_rec/few-films@1 (SHA-256 {plan.task_set_digest[:12]}; 3 families, 2 of them with an",
        "9 tasks a run under the conditions volunteer, mixed and hidden",
        f"the catalogue films of 16,852 items (SHA-256 {plan.catalogue_digest[:12]})",
        "The agents oracle and null are scripted and ask no model.",
        "The customers are rule-based.",
        "interface structured under the prompt base (prompts version 1)",
        "Each task was played 2 times, with the seed 7.",
        "oracle 18 planned, 18 valid, 0 excluded; null 18 planned, 18 valid, 0 excluded",
        "10,000 bootstrap resamples",
        "oracle: volunteer 1.000 [1.000, 1.000], mixed 1.000",
        "null: volunteer 0.000 [0.000, 0.000]",
        "Python 3.",
    ):
        assert part in text, part
    assert "\n" not in text


def test_an_unfinished_run_of_one_condition_is_told_as_it_is(
    task_file: str, tmp_path: Path
) -> None:
    whole = played(tmp_path / "whole", task_file, trials=2, conditions=("mixed",))
    begun = RunFolder(tmp_path / "begun")
    begun.begin(whole.plan())
    begun.append(list(whole.trials())[:1], [])
    text = _text([begun])
    assert "3 tasks a run under the condition mixed)" in text
    assert "Each task was to be played 2 times" in text
    assert "oracle 6 planned, 1 valid, 0 excluded, 5 not played" in text


def test_models_are_told_with_what_is_known(task_file: str, tmp_path: Path) -> None:
    used = {"agent": Usage(1, answered={"gpt-5-mini-2025-08-07": 1}), "user": Usage(1)}
    folder = played(
        tmp_path / "run",
        task_file,
        usage=used,
        changes={
            "agent": "model:openai/gpt-5-mini",
            "user": "model:openai/gpt-5",
            "model": ModelOptions(temperature=0.0, max_tokens=200),
            "user_options": UserOptions(temperature=1.0),
        },
    )
    text = _text([folder])
    assert (
        "is the model openai/gpt-5-mini (temperature 0.0, at most 200 tokens an answer); it "
        "answered as gpt-5-mini-2025-08-07." in text
    )
    assert (
        "The customers are worded by the model openai/gpt-5 (temperature 1); the id with which it "
        "answered was not recorded." in text
    )


def test_what_is_unknown_is_said_to_be(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file, changes={"agent": "my_shop.agents:Helper"})
    lines = folder.trials_file.read_bytes().splitlines(keepends=True)
    folder.trials_file.write_bytes(b"".join(lines[:3]))
    text = methods(read_cited([folder], {}))
    assert "which model stands behind it, if any, is unknown" in text
    assert "9 planned, 3 valid, 0 excluded, 6 not played" in text
    assert "with an answer" not in text  # Of two families nothing is known.
    assert "(one family, no interval)" in text
    assert "nan" not in text.lower()


def test_a_run_named_twice_is_refused(task_file: str, tmp_path: Path) -> None:
    folder = played(tmp_path / "run", task_file)
    with pytest.raises(InputError, match="named 2 times"):
        read_cited([folder, folder], {})
