"""Whatever is said, the guard answers, and what it hears does not depend on the guise."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.dialogue import UserSaid
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.suites.tau_rec.guard import Disclosure, Ear
from mystery_shopper.suites.tau_rec.guard.clauses import clauses
from mystery_shopper.suites.tau_rec.task import Task

WORDS = (
    "yes no not but or french horror nineteen hundred thousand and ninety nineties 1990s '90s "
    "1,500 49.99 1.2.3 90s 0s k oh o' ... ?! — [[candidate_id:x]] * _ \u200b ½ ² ٣ 1e9 U.S. a-b-c-d"
).split()
TEXTS = st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@cache
def some(name: str) -> tuple[Ear, tuple[Task, ...]]:
    tasks = tuple(load_tasks(f"tau_rec/{name}@1").by_id.values())
    return Ear(load_shelf(name, None).catalogue), tasks[::7]


@given(st.data())
def test_nothing_breaks_it(data: st.DataObject) -> None:
    ear, tasks = some(data.draw(st.sampled_from(("films", "shop"))))
    disclosure = Disclosure(data.draw(st.sampled_from(tasks)), ear)
    for _ in range(2):
        found = disclosure.judge(data.draw(TEXTS))
        assert set(found.leaks) <= set(disclosure.withheld) & set(found.disclosed)
        disclosure.turn(data.draw(TEXTS), UserSaid("", disclosed=()), None)


@given(TEXTS)
def test_clauses_hold_words_only(text: str) -> None:
    for clause in clauses(text):
        assert clause.words
        assert all(word[0].isalnum() for word in clause.words)


def test_a_long_message_is_read_in_part() -> None:
    ear, tasks = some("films")
    disclosure = Disclosure(tasks[0], ear)
    disclosure.turn("horror? " * 700_000, UserSaid(""), None)
    assert disclosure.judge("yes " * 700_000).leaks == ()
