"""What words give away, on the films' and the shop's own tasks."""

from __future__ import annotations

from functools import cache

import pytest

from mystery_shopper.catalog import Operator, Predicate
from mystery_shopper.dialogue import UserSaid, Verdict
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.suites.tau_rec.guard import Disclosure, Ear, Judged
from mystery_shopper.suites.tau_rec.shelf import Shelf
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Condition, Family, Reveal, Task, Tier
from mystery_shopper.suites.tau_rec.user import RuleUser

STATED, ON_ASK, HIDDEN = Reveal.STATED, Reveal.ON_ASK, Reveal.HIDDEN
P = Predicate
HORROR = P("genre", Operator.CONTAINS, "Horror")
SCI_FI = P("genre", Operator.CONTAINS, "Sci-Fi")
FAMILY = P("genre", Operator.CONTAINS, "Family")
FRENCH = P("language", Operator.WITHIN, "French")
CHINESE = P("language", Operator.WITHIN, "Chinese")
FRANCE = P("country", Operator.WITHIN, "France")
UK = P("country", Operator.WITHIN, "United Kingdom")
SINCE = P("year", Operator.AT_LEAST, 1990)
UNTIL = P("year", Operator.AT_MOST, 2005)


@cache
def shelf(name: str = "films") -> Shelf:
    return load_shelf(name, None)


@cache
def ear(name: str = "films") -> Ear:
    return Ear(shelf(name).catalogue)


def task(*parts: tuple[Predicate, Reveal], formats: tuple[str, ...] = ()) -> Task:
    family = Family(
        id="f001",
        tier=Tier.MEDIUM,
        template=(),
        predicates=tuple(predicate for predicate, _ in parts),
        reveals={Condition.HIDDEN: tuple(reveal for _, reveal in parts)},
        formats=formats,
        history=(),
        satisfiable=True,
        persona="A tester.",
        answers={},
    )
    return Task(family, Condition.HIDDEN)


def follow(given: Task, *heard: str, name: str = "films") -> Disclosure:
    """The trial once the agent has said these things."""
    on = shelf(name)
    rule = RuleUser(given, on.catalogue, on.reader, on.wording)
    disclosure = Disclosure(given, ear(name))
    for text in heard:
        *before, due = rule.hear(text)
        assert isinstance(due, UserSaid)
        verdict = next((event for event in before if isinstance(event, Verdict)), None)
        disclosure.turn(text, due, verdict)
    return disclosure


def leaks(given: Task, words: str, *heard: str, name: str = "films") -> tuple[str, ...]:
    return follow(given, *heard, name=name).judge(words).leaks


@pytest.mark.parametrize(("name", "tasks"), [("films", "films"), ("shop", "shop")])
def test_the_rule_based_users_own_words_are_read_exactly(name: str, tasks: str) -> None:
    on = shelf(name)
    fields = ", ".join(on.wording.label(field) for field in on.catalogue.domain.requirement_fields)
    questions = (f"Do you have requirements on {fields}?", "Is there anything else?")
    for one in load_tasks(f"tau_rec/{tasks}@1").by_id.values():
        rule = RuleUser(one, on.catalogue, on.reader, on.wording)
        disclosure = Disclosure(one, ear(name))
        opening = rule.open()
        found = disclosure.judge(opening.text)
        assert (set(found.disclosed), found.leaks) == (set(opening.disclosed), ()), one.id
        for question in questions:
            said = rule.hear(question)[-1]
            assert isinstance(said, UserSaid)
            disclosure.turn(question, said, None)
            found = disclosure.judge(said.text)
            assert (set(found.disclosed), found.leaks) == (set(said.disclosed), ()), one.id


@pytest.mark.parametrize(
    ("predicate", "words"),
    [
        (HORROR, "I love horror."),
        (HORROR, "A **Horror** film, of course"),
        (HORROR, "some H-o-r-r-o-r please"),
        (HORROR, "some h o r r o r please"),
        (HORROR, "some ho\u200brror"),
        (HORROR, "ＨＯＲＲＯＲ!"),
        (HORROR, "Horrors, ideally"),
        (SCI_FI, "science fiction"),
        (SCI_FI, "Some scifi."),
        (SCI_FI, "sci fi"),
        (FAMILY, "a family film"),
        (FAMILY, "The genre is family."),
        (FRENCH, "In french, please."),
        (FRENCH, "Quebec French would do."),
        (CHINESE, "Mandarin is best."),
        (CHINESE, "in Standard Chinese"),
        (FRANCE, "It comes from France"),
        (FRANCE, "a French one"),
        (UK, "British, please"),
        (UK, "from the U.K."),
        (UK, "an English production"),
        (UK, "in British English"),
        (SINCE, "1990 or later"),
        (SINCE, "from nineteen-ninety on"),
        (SINCE, "something of the nineties"),
        (SINCE, "the '90s"),
        (UNTIL, "up to two thousand and five"),
    ],
)
def test_a_hidden_value_in_any_guise_is_a_leak(predicate: Predicate, words: str) -> None:
    given = task((predicate, HIDDEN))
    [fact] = follow(given).withheld
    assert leaks(given, words) == (fact,)


@pytest.mark.parametrize(
    ("predicate", "words"),
    [
        (FRENCH, "I don't mind the language."),
        (FRENCH, "About the language I would rather not say."),
        (HORROR, "I'd rather not talk about the genre."),
        (HORROR, "Yes, please go on."),
        (FAMILY, "It is for an evening with my family."),
        (SINCE, "One or two would be fine, in 1989 or so."),
        (SINCE, "It is the first of three."),
        (UK, "Thank us later."),
        (P("genre", Operator.CONTAINS, "War"), "That was before the war began."),
        (P("genre", Operator.CONTAINS, "Action"), "Take action, please."),
        (P("country", Operator.WITHIN, "Austria"), "An Australian one."),
        (P("genre", Operator.CONTAINS, "Music"), "I like a musical."),
    ],
)
def test_no_wolf_is_cried(predicate: Predicate, words: str) -> None:
    assert leaks(task((predicate, HIDDEN)), words) == ()


NAMED = "Is it French you want?"


@pytest.mark.parametrize(
    ("heard", "words", "leaked"),
    [
        (NAMED, "I'd rather not say.", False),
        (NAMED, "I would rather not say whether it should be French.", False),
        (NAMED, "French? I can't tell you that.", False),
        (NAMED, "Not French in particular.", False),
        (NAMED, "No.", False),
        (NAMED, "Yes, French.", True),
        (NAMED, "Yes.", True),
        (NAMED, "Yes, please!", True),
        (NAMED, "Exactly.", True),
        (NAMED, "Hm, yes.", True),
        (NAMED, "That's right.", True),
        (NAMED, "French it is.", True),
        (NAMED, "No, it must be French.", True),
        (NAMED, "I'd rather not say, but French is right.", True),
        (NAMED, "Nothing other than French.", True),
        ("Is it French or German?", "Yes.", False),
        ("Is it French? And is it a comedy?", "Yes.", False),
        ("What language?", "I would rather not say that it must be French.", True),
        ("I can look for French ones.", "Yes, go on.", False),
    ],
)
def test_what_the_agent_named(heard: str, words: str, leaked: bool) -> None:
    given = task((HORROR, STATED), (FRENCH, HIDDEN))
    assert leaks(given, words, heard) == (("language within French",) if leaked else ())


def test_a_proposal_is_answered_by_yes() -> None:
    film = next(item for item in map(shelf().catalogue.item, range(500)) if FRENCH.matches(item))
    given = task((FRENCH, HIDDEN))
    text = f"How about this French film? [[candidate_id:{film.id}]]"
    assert leaks(given, "Yes, that is the one.", text) == ()


def test_a_title_that_was_proposed_tells_nothing() -> None:
    catalogue = shelf().catalogue
    horror = next(
        item
        for item in map(catalogue.item, range(len(catalogue)))
        if "horror" in item.title.lower() and len(item.title.split()) > 1
    )
    given = task((HORROR, HIDDEN))
    words = f"{horror.title} is not for me."
    assert leaks(given, words) != ()
    assert leaks(given, words, f"How about it? [[candidate_id:{horror.id}]]") == ()


def test_asked_or_not() -> None:
    given = task((HORROR, STATED), (FRENCH, ON_ASK), (SINCE, HIDDEN), formats=("DVD", "download"))
    words = "Horror, in French, on DVD, from 1990 on."
    opening = follow(given).judge(words)
    assert opening.leaks == ("language within French", "year >= 1990", FORMATS_FACT)
    assert opening.disclosed == ("genre contains Horror", *opening.leaks)
    asked = follow(given, "Which language?").judge(words)
    assert asked.leaks == ("year >= 1990", FORMATS_FACT)
    later = follow(given, "Which language?", "How about the format?", "Fine.").judge(words)
    assert later.leaks == ("year >= 1990",)
    assert follow(given, "Anything else?").judge("French on Blu-ray") == Judged(
        ("language within French",)
    )


def test_a_word_that_is_said_already_explains_itself() -> None:
    given = task((FRENCH, STATED), (FRANCE, HIDDEN))
    assert leaks(given, "A French film.") == ()
    assert leaks(given, "A French film from France.") == ("country within France",)
    other = task((FRANCE, STATED), (FRENCH, HIDDEN))
    assert leaks(other, "It should be in French.") == ("language within French",)
    years = task((SINCE, STATED), (P("year", Operator.AT_MOST, 1990), HIDDEN))
    assert leaks(years, "1990") == ()


@pytest.mark.parametrize(
    ("predicate", "words", "leaked"),
    [
        (P("second_hand", Operator.EQUAL, True), "A second hand one.", True),
        (P("second_hand", Operator.EQUAL, True), "secondhand", True),
        (P("second_hand", Operator.EQUAL, True), "I am used to waiting.", False),
        (P("second_hand", Operator.EQUAL, False), "It should be new.", True),
        (P("colours", Operator.CONTAINS, "Grey"), "in gray", True),
        (P("category", Operator.WITHIN, "Footwear"), "Some boots.", True),
        (P("category", Operator.WITHIN, "Bookcases"), "a book case", True),
        (P("price", Operator.AT_MOST, 50.0), "fifty quid", True),
        (P("price", Operator.AT_MOST, 50.0), "£49.99", False),
        (P("material", Operator.CONTAINS, "Felt"), "I felt like asking.", False),
    ],
)
def test_the_shops_kinds(predicate: Predicate, words: str, leaked: bool) -> None:
    assert bool(leaks(task((predicate, HIDDEN)), words, name="shop")) is leaked
