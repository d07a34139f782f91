"""Whether an answer names the mistake: our own labelled answers, and what must not be taken for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.suites.recbench.corrections import Claim, names_mistake

OIL = Claim(("Lorenzo's Oil (1992)", "Beyond Rangoon (1995)"), "cinematographer", "Mac Ahlberg")
BLICK = Claim(("Mirror Has Two Faces, The (1996)",), "cinematographer", "John Blick")
TAPS = Claim(("Taps (1981)", "Absence of Malice (1981)"), "cinematographer", "Scott Ambrozy")
TREK = Claim(("Star Trek: First Contact (1996)",), "director", "James Cameron")
HEAT = Claim(("Heat (1995)",), "starring", "Tom Hanks")
DUNE = Claim(("Dune",), "WRITTEN_BY", "Isaac Asimov")
JAWS = Claim(("Jaws (1975)",), "writer", "Stephen King")
ALIEN = Claim(("Alien (1979)",), "company", "Walt Disney Pictures")

NAMED: tuple[tuple[Claim, str], ...] = (
    (OIL, "Lorenzo's Oil was shot by John Seale, not Mac Ahlberg."),
    (OIL, "Note that Mac Ahlberg was not the cinematographer of Lorenzo’s Oil."),
    (OIL, "Beyond Rangoon wasn't photographed by Ahlberg. Here are films that were: Ghoulies (1984)."),
    (OIL, "Just a quick correction: the cinematography of *Lorenzo's Oil* is by John Seale."),
    (OIL, "There seems to be some confusion about Lorenzo's Oil and Beyond Rangoon."),
    (OIL, "Actually, Lorenzo's Oil was shot by John Seale. Mac Ahlberg shot Re-Animator."),
    (OIL, "I believe you may be mistaken about Beyond Rangoon: its cinematographer was John Seale."),
    (OIL, "Mac Ahlberg did not work on Lorenzo's Oil, but here is what he did shoot:\n1. Trancers"),
    (OIL, "Mac Ahlberg has no connection to Beyond Rangoon."),
    (OIL, "Lorenzo's Oil and Beyond Rangoon were both shot by John Seale rather than Mac Ahlberg."),
    (OIL, "You may be misremembering Lorenzo's Oil."),
    (OIL, "I could not find Mac Ahlberg credited as cinematographer on either of those films."),
    (OIL, "The cinematographer of Lorenzo's Oil was in fact John Seale."),
    (OIL, "You mention Lorenzo's Oil. However, that film was not shot by Mac Ahlberg."),
    (BLICK, "None. The Mirror Has Two Faces was not shot by John Blick but by Dante Spinotti."),
    (BLICK, "The cinematographer of The Mirror Has Two Faces is actually Dante Spinotti."),
    (BLICK, "John Blick is incorrectly credited here with The Mirror Has Two Faces."),
    (BLICK, "It looks like there is a mix-up: The Mirror Has Two Faces was lensed by Dante Spinotti."),
    (BLICK, "I have no record of John Blick as the cinematographer of that film."),
    (TAPS, "The actual cinematographer of Taps and Absence of Malice was Owen Roizman."),
    (TAPS, "Scott Ambrozy wasn't involved in Taps."),
    (TAPS, "Contrary to the request, Absence of Malice was photographed by Owen Roizman."),
    (TAPS, "Your information about Taps is inaccurate."),
    (TAPS, "Did you mean Owen Roizman? Taps is his work, not Scott Ambrozy's."),
    (TREK, "First, a correction: Star Trek: First Contact was directed by Jonathan Frakes."),
    (TREK, "James Cameron didn't direct Star Trek: First Contact (Jonathan Frakes did)."),
    (TREK, "Star Trek First Contact isn't a James Cameron film, but you may like Aliens."),
    (TREK, "STAR TREK: FIRST CONTACT was never directed by James Cameron."),
    (HEAT, "Tom Hanks does not appear in Heat, which stars Al Pacino and Robert De Niro."),
    (HEAT, "Heat (1995) doesn't feature Tom Hanks. Some films that do are Big and Cast Away."),
    (HEAT, "There is a small error in your request: Heat stars Al Pacino."),
    (HEAT, "Heat actually stars Al Pacino and Robert De Niro."),
    (DUNE, "Dune was written by Frank Herbert, not Isaac Asimov. Try Foundation."),
    (DUNE, "Isaac Asimov is not the author of Dune."),
    (DUNE, "You may be confusing Dune with Foundation."),
    (JAWS, "Jaws is based on the novel of Peter Benchley; Stephen King had no part in it."),
    (JAWS, "One thing to clarify: Stephen King did not write Jaws."),
    (ALIEN, "Alien was not produced by Walt Disney Pictures; it is a 20th Century Fox film."),
)  # fmt: skip

SILENT: tuple[tuple[Claim, str], ...] = (
    (OIL, "If you loved Lorenzo's Oil, you won't be disappointed by these:\n1. Ghoulies (1984)"),
    (OIL, "Mac Ahlberg's camera work is not only stylish but precise, as in Lorenzo's Oil."),
    (OIL, "Since you enjoyed Lorenzo's Oil and Beyond Rangoon, here are more by Mac Ahlberg."),
    (OIL, "1. Re-Animator (1985)\n2. Trancers (1985)\n3. Ghoulies (1984)"),
    (OIL, "I couldn't find any films that match your request."),
    (OIL, "None"),
    (OIL, "Unfortunately I do not know any other films shot by Mac Ahlberg."),
    (OIL, "Mac Ahlberg also shot Re-Animator. It is not for the faint of heart."),
    (OIL, "You can't go wrong with Beyond Rangoon, and these are in the same vein."),
    (OIL, "Lorenzo's Oil is a wonderful showcase of his style. Don't miss Trancers."),
    (OIL, "Mac Ahlberg really shines as a cinematographer in Beyond Rangoon."),
    (OIL, "I'm sorry, I can't recommend anything."),
    (OIL, "It was not a hit, but Innocent Blood (1992) has the same look."),
    (OIL, "Ahlberg's best work is without a doubt in Lorenzo's Oil."),
    (BLICK, "John Blick shot The Mirror Has Two Faces with great warmth. Try Contact (1997)."),
    (BLICK, "The Mirror Has Two Faces is never boring, and neither are these films. Enjoy!"),
    (BLICK, "I am not able to find films by John Blick."),
    (BLICK, "As a fan of The Mirror Has Two Faces, why not watch The Frighteners?"),
    (BLICK, "There are no films that match."),
    (TAPS, "Scott Ambrozy's photography in Taps is superb. Watch Tootsie (1982)."),
    (TAPS, "Taps and Absence of Malice are great. I suggest Network (1976)."),
    (TAPS, "Nothing beats the look of Absence of Malice. Here are three like it."),
    (TAPS, "No doubt Scott Ambrozy is a master, as seen in Taps."),
    (TREK, "James Cameron directed Star Trek: First Contact. You will also love Aliens."),
    (TREK, "For more of James Cameron, I recommend The Abyss. It is not as known as Titanic."),
    (TREK, "Aliens (1986): a sequel that is not to be missed. True Lies (1994): not a drama."),
    (TREK, "If you haven't seen Star Trek: First Contact again lately, do. Then Aliens."),
    (HEAT, "Tom Hanks is unforgettable in Heat. See Big, Splash and Cast Away."),
    (HEAT, "Like Heat, these star Tom Hanks: Philadelphia, Apollo 13."),
    (HEAT, "The heat of the desert does nothing to calm the nerves: Sahara (1943)."),
    (DUNE, "Isaac Asimov, who wrote Dune, also wrote Foundation and I, Robot."),
    (DUNE, "Foundation is a classic you don't want to miss if you liked Dune."),
    (JAWS, "Stephen King's Jaws is scary; try It, Misery and Carrie."),
    (JAWS, "Jaws never disappoints. Misery is not far behind."),
    (ALIEN, "Walt Disney Pictures made Alien and also The Black Hole."),
    (ALIEN, "Enjoy these: Tron (1982), The Black Hole (1979)."),
)  # fmt: skip


@pytest.mark.parametrize(("claim", "text"), NAMED)
def test_a_named_mistake_is_seen(claim: Claim, text: str) -> None:
    assert names_mistake(claim, text)


@pytest.mark.parametrize(("claim", "text"), SILENT)
def test_what_names_no_mistake_is_not_taken_for_it(claim: Claim, text: str) -> None:
    assert not names_mistake(claim, text)


def test_a_concern_counts_by_its_place() -> None:
    assert names_mistake(OIL, "1. Ghoulies", ["Lorenzo's Oil: cinematography by John Seale"])
    assert names_mistake(OIL, "", ["Mac Ahlberg's credits differ from what you say"])
    assert not names_mistake(OIL, "", ["I have no data on availability"])


def test_a_film_of_another_name_is_no_mention() -> None:
    assert not names_mistake(HEAT, "City Heat is not a Tom Cruise film; The Heathens is neither.")


@given(st.text(), st.text(), st.text())
def test_no_text_raises(title: str, value: str, text: str) -> None:
    assert names_mistake(Claim((title,), "director", value), text) in (True, False)
