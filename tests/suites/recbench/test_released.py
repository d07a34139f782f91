"""The published files: read as they are, brought onto a catalogue, refused with their place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.catalog import Condition, ItemGraph
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.query import Given, Kind, Style
from mystery_shopper.suites.recbench.released import onto, read_release
from mystery_shopper.suites.recbench.titles import Entry, TitleIndex, TitleMatch

DATA = Path(__file__).parents[4] / "shared" / "data" / "recbench-plus"
needs_data = pytest.mark.skipif(
    not (DATA / "UserBasedQuery.json").exists(), reason=f"needs UserBasedQuery.json in {DATA}"
)

TITLES = TitleIndex(
    [
        Entry("1", "Clockers (1995)"),
        Entry("2", "Bamboozled (2000)"),
        Entry("3", "Malcolm X (1992)"),
        Entry("4", "Lorenzo's Oil (1992)"),
        Entry("5", "Trancers (1985)"),
        Entry("6", "Ghoulies (1984)"),
        Entry("7", "Sabrina (1954)"),
        Entry("8", "Sabrina (1995)"),
        Entry("9", "He Got Game (1998)"),
        Entry("10", "Beyond Rangoon (1995)"),
    ]
)
GRAPH = ItemGraph.of_triples(
    [(str(n), "director", "Spike Lee") for n in (1, 2, 3, 9)]
    + [("3", "starring", "Denzel Washington"), ("9", "starring", "Denzel Washington")]
    + [(str(n), "genre", "Drama") for n in range(1, 11)]
)

EXPLICIT: dict[str, Any] = {
    "source_user": 17,
    "condition_num": 2,
    "movieCount": 2,
    "movieSubset": ["Malcolm X (1992)", "He Got Game (1998)"],
    "movieSubsetId": [3, 9],
    "sharedRelationships": [["Directed_by", "Spike Lee"], ["Starring", "Denzel Washington"]],
    "direct_description_query": "Films by Spike Lee with Denzel Washington?",
    "situational_description_query": "Tonight I feel like Denzel Washington in a Spike Lee film.",
}
IMPLICIT: dict[str, Any] = {
    "source_user": "18",
    "condition_num": 1,
    "movieCount": 1,
    "movieSubset": ["Malcolm X (1992)"],
    "movieSubsetId": [3],
    "sharedRelationships": [["Directed_by", "Spike Lee"]],
    "direct_description_query": "Films by the director of Clockers (1995) and Bamboozled (2000)?",
    "situational_description_query": "I saw Clockers (1995) and want more of its director.",
}
MISINFORMED: dict[str, Any] = {
    "source_user": "19",
    "condition_num": 1,
    "movieCount": 2,
    "movieSubset": ["Trancers (1985)", "Ghoulies (1984)"],
    "movieSubsetId": [5, 6],
    "sharedRelationships": [["Cinematography", "Mac Ahlberg"]],
    "query": "I loved Mac Ahlberg's work in Lorenzo's Oil. He also shot Beyond Rangoon. More?",
}
INTEREST: dict[str, Any] = {
    "data_idx": 4,
    "query & ground true": [
        {
            "reason": "New York",
            "query": "Films of Brooklyn?",
            "movie subset": ["Clockers (1995)", "Sabrina", "No Such Film"],
        },
    ],
}
BOOK: dict[str, Any] = {
    "source_user": "b",
    "condition_num": 1,
    "bookCount": 1,
    "bookSubset": ["Dune"],
    "sharedRelationships": [["WRITTEN_BY", "Frank Herbert"]],
    "direct_description_query": "Books by Frank Herbert?",
    "situational_description_query": "On a train, I want Frank Herbert.",
}


def write(folder: Path, **files: Any) -> Path:
    for name, value in files.items():
        path = folder / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return folder


def test_every_file_is_read_by_its_name_and_folder(tmp_path: Path) -> None:
    release = read_release(
        write(
            tmp_path,
            movie__ExplicitQuery=[EXPLICIT],
            movie__ImplicitQuery=[IMPLICIT],
            movie__MisinformedQuery=[MISINFORMED],
            movie__InterestBasedQuery=[INTEREST],
            book__ExplicitQuery=[BOOK],
            movie__notes=[1],
        )
    )
    assert [query.kind for query in release.of("movie")] == [
        *(Kind.EXPLICIT, Kind.EXPLICIT, Kind.IMPLICIT, Kind.IMPLICIT),
        *(Kind.INTEREST, Kind.MISINFORMED),
    ]
    assert len(release.of("book")) == 2
    assert release.files[str(Path("movie/ExplicitQuery.json"))] == 2
    first = release.of("movie")[0]
    assert (first.user, first.style) == ("17", Style.DIRECT)
    assert first.conditions == (("Directed_by", "Spike Lee"), ("Starring", "Denzel Washington"))


def test_an_explicit_query_gets_both_ground_truths(tmp_path: Path) -> None:
    release = read_release(write(tmp_path, ExplicitQuery_movie=[EXPLICIT]))
    made = onto(release, "movie", TITLES, GRAPH)
    query = made.queries[0]
    assert query.own == query.matching == ("3", "9")
    assert query.conditions == (
        Condition("director", "Spike Lee"),
        Condition("starring", "Denzel Washington"),
    )
    assert made.queries[1].style is Style.SITUATIONAL
    assert made.unscored == frozenset()
    assert made.account.titles[TitleMatch.EXACT] == 4


def test_items_that_a_query_names_leave_both_ground_truths(tmp_path: Path) -> None:
    made = onto(read_release(write(tmp_path, ImplicitQuery=[IMPLICIT])), "movie", TITLES, GRAPH)
    query = made.queries[0]
    assert (query.named, query.own, query.matching) == (("1", "2"), ("3",), ("3", "9"))
    (part,) = query.parts
    assert (part.given, part.through) == (Given.REFERENCE, ("1", "2"))


def test_a_relation_that_the_graph_lacks_leaves_cmr_unscored_and_is_counted(tmp_path: Path) -> None:
    made = onto(
        read_release(write(tmp_path, MisinformedQuery=[MISINFORMED])), "movie", TITLES, GRAPH
    )
    (query,) = made.queries
    assert made.unscored == {query.id}
    assert made.account.lacking == {"Cinematography": 1}
    assert query.matching == query.own == ("5", "6")
    (part,) = query.parts
    assert (part.relation, part.given, set(part.through)) == (
        "Cinematography",
        Given.CLAIM,
        {"4", "10"},
    )


def test_a_value_that_no_item_bears_is_counted_too(tmp_path: Path) -> None:
    strange = EXPLICIT | {"sharedRelationships": [["Directed_by", "Nobody"]], "condition_num": 1}
    made = onto(read_release(write(tmp_path, ExplicitQuery=[strange])), "movie", TITLES, GRAPH)
    assert (made.account.valueless, len(made.unscored)) == (2, 2)


def test_without_a_graph_all_cmr_is_unscored(tmp_path: Path) -> None:
    made = onto(read_release(write(tmp_path, ExplicitQuery=[EXPLICIT])), "movie", TITLES)
    assert made.unscored == {query.id for query in made.queries}


def test_ambiguous_and_unknown_titles_are_counted_and_listed(tmp_path: Path) -> None:
    made = onto(
        read_release(write(tmp_path, InterestBasedQuery=[INTEREST])), "movie", TITLES, GRAPH
    )
    account = made.account
    assert account.resolved == 1
    assert [(u.title, u.times, set(u.candidates)) for u in account.ambiguous] == [
        ("Sabrina", 1, {"7", "8"})
    ]
    assert [u.title for u in account.unknown] == ["No Such Film"]
    (query,) = made.queries
    assert (query.kind, query.own, query.profile.reason if query.profile else "") == (
        Kind.INTEREST,
        ("1",),
        "New York",
    )


def test_a_query_of_which_nothing_resolves_is_left_out_and_counted(tmp_path: Path) -> None:
    lost = EXPLICIT | {"movieSubset": ["No Such Film"], "movieSubsetId": [99]}
    made = onto(
        read_release(write(tmp_path, ExplicitQuery=[EXPLICIT, lost])), "movie", TITLES, GRAPH
    )
    assert (len(made.queries), made.account.empty) == (2, 2)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"source_user": None}, "source_user: is missing"),
        ({"movieSubset": None}, "movieSubset: is empty"),
        ({"movieSubset": []}, "movieSubset: is empty"),
        ({"movieSubset": ["Clockers (1995)", 7]}, "movieSubset: holds what is no title"),
        ({"sharedRelationships": None}, "sharedRelationships: is missing"),
        ({"sharedRelationships": [["Genre"]]}, "pair 1 is not a relation and a value"),
        ({"direct_description_query": ""}, "direct_description_query: is empty"),
    ],
)
def test_a_wrong_record_is_told_by_file_record_and_key(
    tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    write(tmp_path, movie__ExplicitQuery=[EXPLICIT, EXPLICIT | change])
    with pytest.raises(InputError) as raised:
        read_release(tmp_path)
    text = str(raised.value)
    assert "ExplicitQuery.json: record 2, line 1: " in text
    assert problem in text
    assert "nothing was written" in text


def test_all_problems_of_all_files_are_told_together(tmp_path: Path) -> None:
    write(tmp_path, ExplicitQuery=[{}, 7], UserBasedQuery=[{"data_idx": 1}], ImplicitQuery='{"a": ')
    with pytest.raises(InputError) as raised:
        read_release(tmp_path)
    text = str(raised.value)
    for part in (
        "ExplicitQuery.json: record 1, line 1: ",
        "record 2, line 1: is no object",
        "UserBasedQuery.json: record 1, line 1: ",
        "ImplicitQuery.json: line 1",
    ):
        assert part in text


def test_latin_1_is_read_and_told_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, ExplicitQuery=[EXPLICIT]) / "ExplicitQuery.json"
    raw = json.dumps([EXPLICIT], indent=1).encode()
    path.write_bytes(raw.replace(b"Malcolm X", b"Mis\xe9rables"))
    release = read_release(tmp_path)
    assert release.queries[0].titles[0] == "Mis\u00e9rables (1992)"
    assert release.notes == (
        "ExplicitQuery.json: line 7: is not UTF-8; the file was read as latin-1",
    )


def test_lines_of_objects_are_read_as_well(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(record) for record in (EXPLICIT, EXPLICIT))
    assert len(read_release(write(tmp_path, ExplicitQuery=lines)).queries) == 4
    write(tmp_path, ExplicitQuery=lines + "\n{broken")
    with pytest.raises(InputError, match="line 3: not JSON"):
        read_release(tmp_path)


def test_counts_that_do_not_agree_are_noted_and_harmless(tmp_path: Path) -> None:
    odd = EXPLICIT | {"movieCount": 5, "movieSubsetId": [3]}
    release = read_release(write(tmp_path, ExplicitQuery=[odd]))
    assert len(release.queries) == 2
    assert release.notes == (
        "ExplicitQuery.json: record 1, line 1: movieCount: 5, and there are 2",
        "ExplicitQuery.json: record 1, line 1: movieSubsetId: 1 ids for 2 titles",
    )


def test_a_folder_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of the published files"):
        read_release(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        read_release(tmp_path / "nowhere")


@needs_data
def test_the_shared_half_of_the_groups_is_read_whole() -> None:
    release = read_release(DATA)
    rows = (DATA / "movies.dat").read_bytes().decode("utf-8", "replace").split("\n")
    films = [row.rstrip("\r").split("::") for row in rows if row]
    made = onto(release, "movie", TitleIndex(Entry(film[0], film[1]) for film in films))
    account = made.account
    assert (len(release.queries), account.queries) == (143, 143)
    assert (account.resolved, account.ambiguous, account.unknown) == (440, (), ())
    first = made.queries[0]
    assert first.profile is not None
    assert (first.profile.group, len(first.profile.listed)) == ({"age": "25-34"}, 10)
    groups = {frozenset(q.profile.group) for q in made.queries if q.profile}
    assert frozenset(("age", "gender", "occupation")) in groups
