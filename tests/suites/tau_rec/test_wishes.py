"""Soft wishes: said when asked for more, and never so that they give away what is hidden."""

from __future__ import annotations

import msgspec
import pytest

from mystery_shopper.dialogue import UserSaid
from mystery_shopper.suites.tau_rec.task import Condition, Reveal, Task
from mystery_shopper.suites.tau_rec.wishes import wishes_said
from mystery_shopper.suites.tau_rec.wording import NOTHING_MORE, Heard, Wording

from .helpers import BLUE, HIDDEN, ON_ASK, RED, STATED, domain, family, user


def with_wishes(*soft: str, tag: Reveal = HIDDEN) -> Task:
    made = family((RED, STATED), (BLUE, tag))
    return Task(msgspec.structs.replace(made, soft=soft), Condition.HIDDEN)


def said(task: Task, question: str) -> list[str]:
    (reply,) = [event for event in user(task).hear(question) if isinstance(event, UserSaid)]
    return reply.text.split("\n")


def test_a_wish_is_said_when_asked_for_more() -> None:
    task = with_wishes("likes a  warm light.")
    wish = "A wish, not a requirement: likes a warm light."
    assert wishes_said(task) == (wish,)
    assert said(task, "anything else")[-1] == wish
    assert wish not in said(task, "the colour")
    assert wish not in user(task).open().text
    assert Wording(domain()).read(wish) == Heard()


def test_a_wish_is_nothing_more_to_require() -> None:
    task = Task(
        msgspec.structs.replace(family((RED, STATED)), soft=("likes it low",)), Condition.HIDDEN
    )
    assert said(task, "anything else") == [NOTHING_MORE, "A wish, not a requirement: likes it low."]


@pytest.mark.parametrize("wish", ["loves BLUE things", "no blues, please", "blue"])
def test_a_wish_that_names_what_is_hidden_is_kept_back(wish: str) -> None:
    assert wishes_said(with_wishes(wish, "likes it low")) == wishes_said(
        with_wishes("likes it low")
    )
    assert wishes_said(with_wishes(wish, tag=ON_ASK)) != ()


def test_other_words_are_no_names() -> None:
    assert len(wishes_said(with_wishes("likes bluebells", "likes red"))) == 2
