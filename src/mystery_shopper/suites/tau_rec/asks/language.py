"""Whether a message is in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mystery_shopper.suites.tau_rec.asks.common import COMMON
from mystery_shopper.suites.tau_rec.asks.markup import Line

_FOREIGN = frozenset(
    """
    el la los las un una unos unas de del al que y en es por para con su sus lo le les se te me mi tu
    usted quiero quiere gustaria pelicula libro algo mas muy pero como cual hola gracias buenos dias
    le la les un une des du de et est que qui dans pour avec sur vous je nous il elle ce cette votre
    mon ma mes bonjour merci voudriez aimeriez livre quel quelle avez voici puis
    der die das ein eine einen und ist nicht mit von zu den dem des ich sie wir ihr ihnen haben sind
    mochten buch hallo danke fur auf im als welche welcher kann ihre
    il lo gli una uno di che e per con sono si mi ti vi non questo questa vorrebbe libro ciao grazie
    o os as um uma do da dos das em para com voce eu nao gostaria filme livro ola obrigado qual
    het een van en ik je u wij niet dit dat voor met op zijn wil graag boek hallo dank
    jest nie czy co ja pan pani ksiazke jaki jaka och det en ett som pa jag vill inte
    """.split()
)
_WORD = re.compile(r"[^\W\d_]+")
_PROVEN = 0.2


def is_english(page: Sequence[Line]) -> bool:
    """False only where the message is essentially in another language or script.

    Words written with a capital are left out where they may be names or titles. A message without
    words of its own counts as English.
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
    english = sum(1 for word in own if word in COMMON)
    foreign = sum(1 for word in own if word in _FOREIGN and word not in COMMON)
    if english >= _PROVEN * len(own):
        return english >= foreign or english >= _PROVEN * 2 * len(own)
    return not (foreign >= _PROVEN * len(own) or (english == 0 and len(own) >= 6))
