"""Whether a message is in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mystery_shopper.suites.tau_rec.asks.common import COMMON
from mystery_shopper.suites.tau_rec.asks.markup import Line
from mystery_shopper.suites.tau_rec.asks.tokens import fold_word

_FOREIGN = frozenset(
    """
    aimeriez al algo als as auf avec avez boek bonjour buch buenos ce cette che ciao co com como con
    cual czy da dank danke dans das dat de del dem den der des det di dias die dit do dos du e een
    ein eine einen el elle em en es est et ett eu filme fur gli gostaria graag gracias grazie
    gustaria haben hallo het hola ich ihnen ihr ihre ik il im inte ist ja jag jaka jaki je jest kann
    ksiazke la las le les libro livre livro lo los ma mas me merci mes met mi mit mochten mon muy
    nao nicht nie niet non nous o obrigado och ola op os pa pan pani para pelicula per pero por pour
    puis qual que quel quelle questa questo qui quiere quiero se si sie sind som sono su sur sus te
    ti tu u um uma un una unas und une uno unos usted van vi vill voce voici von voor vorrebbe votre
    voudriez vous welche welcher wij wil wir y zijn zu
    """.split()
)
_SHARED = frozenset(
    "a i in on no me an as so do die den war was bin man he is we son us to am all men dig at per "
    "film plan information region".split()
)
"""English words that other languages have too."""

_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
_PROVEN = 0.2


def is_english(page: Sequence[Line]) -> bool:
    """False only where the message is essentially in another language or script.

    Words written with a capital are left out, for they may be names or titles. A message with
    hardly any words of its own counts as English.
    """
    text = " ".join(line.text for line in page)
    words = _WORD.findall(text)
    if not words:
        return True
    latin = sum(1 for word in words if word[0] < "\u0250" or "\u1e00" <= word[0] < "\u1f00")
    if latin * 2 < len(words):
        return False
    own = [word.lower() for word in words if word[0].islower() or word.isupper()]
    if len(own) < 3:
        return True
    english = sum(1 for word in own if word in COMMON and word not in _SHARED)
    foreign = sum(1 for word in own if fold_word(word) in _FOREIGN)
    if english >= _PROVEN * len(own):
        return english >= foreign or english >= 2 * _PROVEN * len(own)
    return foreign < _PROVEN * len(own) and (english > 0 or len(own) < 5)
