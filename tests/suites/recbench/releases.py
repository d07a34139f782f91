"""Made-up files in the published shape of RecBench+: five kinds of queries, films and books."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Records = list[dict[str, Any]]

MOVIES_DAT = """\
1::Clockers (1995)::Crime|Drama|Mystery
2::Bamboozled (2000)::Comedy
3::Malcolm X (1992)::Drama
4::Lorenzo's Oil (1992)::Drama
5::Trancers (1985)::Action|Sci-Fi
6::Ghoulies (1984)::Comedy|Horror
7::Sabrina (1954)::Comedy|Romance
8::Sabrina (1995)::Comedy|Romance
9::He Got Game (1998)::Drama
10::Beyond Rangoon (1995)::Drama|War
11::Good, the Bad and the Ugly, The (Buono, il brutto, il cattivo, Il) (1966)::Western
12::Mission: Impossible (1996)::Action
13::Misérables, Les (1995)::Drama
14::Unrated::(no genres listed)
"""
USERS_DAT = "17::M::25::12::90210\n18::F::18::4::10001\n19::M::56::13::60601\n"
RATINGS_DAT = "17::3::5::100\n17::9::4::90\n17::1::4::80\n18::5::3::50\n17::14::2::70\n"
GRAPH_TSV = "item\trelation\tvalue\n" + "".join(
    f"{item}\t{relation}\t{value}\n"
    for item, relation, value in (
        *((str(n), "Directed_by", "Spike Lee") for n in (1, 2, 3, 9)),
        ("3", "Starring", "Denzel Washington"),
        ("9", "Starring", "Denzel Washington"),
        *((str(n), "Genre", "Drama") for n in (1, 3, 4, 9, 10, 13)),
        ("99", "Genre", "Drama"),
    )
)


def explicit() -> Records:
    return [
        {
            "source_user": 17,
            "condition_num": 2,
            "movieCount": 2,
            "movieSubset": ["Malcolm X (1992)", "He Got Game (1998)"],
            "movieSubsetId": [3, 9],
            "sharedRelationships": [
                ["Directed_by", "Spike Lee"],
                ["Starring", "Denzel Washington"],
            ],
            "direct_description_query": "Films by Spike Lee with Denzel Washington?",
            "situational_description_query": "Tonight I feel like Denzel Washington, in New York.",
            "data_idx": 40,
        },
        {
            "source_user": "19",
            "condition_num": 1,
            "movieCount": 3,
            "movieSubset": [
                "Les Misérables (1995)",
                "The Good, the Bad and the Ugly (1966)",
                "Mission: Impossible (1996)",
            ],
            "sharedRelationships": [["Composed_by", "Nobody"]],
            "direct_description_query": "Films with Nobody's music?",
            "data_idx": 41,
        },
    ]


def implicit() -> Records:
    return [
        {
            "source_user": "18",
            "condition_num": 1,
            "movieCount": 2,
            "movieSubset": ["Malcolm X (1992)", "He Got Game (1998)"],
            "movieSubsetId": [3, 9],
            "sharedRelationships": [["Directed_by", "Spike Lee"]],
            "direct_description_query": "Films by whoever made Clockers and Bamboozled?",
            "situational_description_query": "I saw Clockers and want more of its director.",
            "multihop_info": [
                {"movie": "Clockers (1995)", "relation": "Directed_by", "person": "Spike Lee"},
                {"movie": "Bamboozled (2000)", "relation": "Directed_by", "person": "Spike Lee"},
            ],
            "data_idx": 7,
        }
    ]


def misinformed() -> Records:
    return [
        {
            "source_user": "19",
            "condition_num": 2,
            "movieCount": 2,
            "movieSubset": ["Malcolm X (1992)", "Clockers (1995)"],
            "movieSubsetId": [3, 1],
            "sharedRelationships": [["Directed_by", "Spike Lee"], ["Genre", "Drama"]],
            "query": "I loved how Spike Lee made Lorenzo's Oil. More dramas of the kind?",
            "misinformed": [
                {
                    "movie": "Lorenzo's Oil (1992)",
                    "relation": "Directed_by",
                    "person": "Spike Lee",
                    "original person": "George Miller",
                }
            ],
            "data_idx": 0,
        }
    ]


def interest() -> Records:
    return [
        {
            "Shared consecutive movies": ["Trancers (1985)", "Ghoulies (1984)", "Clockers (1995)"],
            "source_users": ["17", "18", "19"],
            "data_idx": 11,
            "query & ground true": [
                {
                    "reason": "Cheap thrills of the eighties.",
                    "query": "Something small and gory of the eighties?",
                    "movie subset": ["Ghoulies (1984)", "Trancers (1985)"],
                },
                {},
            ],
        }
    ]


def user() -> Records:
    return [
        {
            "data_idx": 3,
            "group_type": "age_gender",
            "group": ["25-34", "M"],
            "top_10_movies": [[3, 0.5], [9, 0.4], [12, 0.3]],
            "summary": "User Group: [('Age', '25-34'), ('Gender', 'M')]\n"
            "Total users in this group: 120\n\nTop 10 Movies for this group:\n"
            "Malcolm X (1992) - TF-IDF: 0.5000, Viewed by 60 users (50.00%)\n"
            "He Got Game (1998) - TF-IDF: 0.4000, Viewed by 50 users (41.67%)\n"
            "Mission: Impossible (1996) - TF-IDF: 0.3000, Viewed by 40 users (33.33%)",
            "query & ground true": [
                {
                    "reason": "Strong leads.",
                    "query": "Films with a strong lead?",
                    "movie subset": ["Malcolm X (1992)", "He Got Game (1998)"],
                },
                {
                    "reason": "No such film.",
                    "query": "Sabrina, but which?",
                    "movie subset": ["Sabrina", "No Such Film (2031)", "Malcolm X (1992)"],
                },
            ],
        }
    ]


def book_explicit() -> Records:
    return [
        {
            "source_user": "A1",
            "condition_num": 2,
            "bookCount": 2,
            "bookSubset": ["Dune", "Dune Messiah"],
            "sharedRelationships": [
                ["WRITTEN_BY", "Frank Herbert"],
                ["IN_CATEGORY", "Science Fiction"],
            ],
            "direct_description_query": "Science fiction by Frank Herbert?",
            "situational_description_query": "On a train, I want Frank Herbert.",
            "data_idx": 5,
        }
    ]


def book_implicit() -> Records:
    return [
        {
            "source_user": "A2",
            "condition_num": 1,
            "bookCount": 2,
            "bookSubset": ["The Left Hand of Darkness", "The Dispossessed: An Ambiguous Utopia"],
            "sharedRelationships": [["WRITTEN_BY", "Ursula K. Le Guin"]],
            "direct_description_query": "Books by the author of A Wizard of Earthsea?",
            "situational_description_query": "More by who wrote A Wizard of Earthsea.",
            "multihop_info": [
                {
                    "book": "A Wizard of Earthsea",
                    "relation": "WRITTEN_BY",
                    "person": "Ursula K. Le Guin",
                }
            ],
        }
    ]


def book_misinformed() -> Records:
    return [
        {
            "source_user": "A1",
            "condition_num": 1,
            "bookCount": 2,
            "bookSubset": ["Dune", "Dune Messiah"],
            "sharedRelationships": [["WRITTEN_BY", "Frank Herbert"]],
            "query": "I loved Frank Herbert's Foundation. More of him?",
            "misinformed": [
                {
                    "book": "Foundation",
                    "relation": "WRITTEN_BY",
                    "person": "Frank Herbert",
                    "original person": "Isaac Asimov",
                }
            ],
        }
    ]


def book_interest() -> Records:
    return [
        {
            "Shared consecutive books": ["The Hobbit", "The Fellowship of the Ring"],
            "source_users": ["u1", "u2"],
            "data_idx": 11,
            "query & ground true": [
                {
                    "reason": "Readers liked fantasy adventures.",
                    "query": "Another fantasy adventure?",
                    "book subset": ["The Fellowship of the Ring"],
                }
            ],
        }
    ]


def book_user() -> Records:
    return [
        {
            "data_idx": 0,
            "group_type": "gender",
            "group": "F",
            "query & ground true": [
                {
                    "reason": "Classics.",
                    "query": "A classic to begin with?",
                    "book subset": ["Dune", "The Hobbit"],
                }
            ],
        }
    ]


FILMS: Mapping[str, Records] = {
    "ExplicitQuery": explicit(),
    "ImplicitQuery": implicit(),
    "MisinformedQuery": misinformed(),
    "InterestBasedQuery": interest(),
    "UserBasedQuery": user(),
}
BOOKS: Mapping[str, Records] = {
    "ExplicitQuery": book_explicit(),
    "ImplicitQuery": book_implicit(),
    "MisinformedQuery": book_misinformed(),
    "InterestBasedQuery": book_interest(),
    "UserBasedQuery": book_user(),
}


def write_files(folder: Path, files: Mapping[str, object]) -> Path:
    """Each value as JSON, or a text or bytes as they are; `a/b` lies in a folder."""
    for name, value in files.items():
        path = folder / (name if "." in name else f"{name}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, bytes):
            path.write_bytes(value)
        else:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            path.write_text(text, encoding="utf-8", newline="")
    return folder


def write_films(folder: Path, *, ratings: bool = True) -> Path:
    """All files of films, with MovieLens's own in latin-1."""
    write_files(folder, FILMS)
    (folder / "movies.dat").write_bytes(MOVIES_DAT.encode("latin-1"))
    (folder / "users.dat").write_text(USERS_DAT, encoding="utf-8")
    if ratings:
        (folder / "ratings.dat").write_text(RATINGS_DAT, encoding="utf-8")
    return folder


def write_books(folder: Path) -> Path:
    """All files of books."""
    return write_files(folder, BOOKS)
