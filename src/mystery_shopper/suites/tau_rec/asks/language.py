"""Whether a message is in English."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mystery_shopper.suites.tau_rec.asks.common import COMMON
from mystery_shopper.suites.tau_rec.asks.markup import Line
from mystery_shopper.suites.tau_rec.asks.tokens import TAG, fold_word

_FOREIGN = frozenset(
    """
    aan ako ale algo algum alguma alla alle allt als altra altro anche ancora ani att au auch auf
    aus aussi avec avete avez avrei az bana bardzo beaucoup bei ben bien bir bitte boek bonjour bu
    buch buenos busca buscando byc cadde ce cette ceva chcete chciec che chi ciao como con conosce
    cosa cual cuales cuando czy da dal dalla dans das dat de degli dei deinen deiner del della dem
    depuis der des det deve devo di dias dica dies diese dieses dir dit dla donde dos dovrei du
    durch een ein eine einem einen einer el ella elle ellos em en encore entre er erano esse
    essere est esta este estou estoy et ett etwas eu euch evet fazer filme filmu fra fur gdzie geen
    genau gerne gli gostaria graag gracias grazie gustaria haben habt hacer hai hallo haluat
    haluatko hangi hat hay hebben hebt heeft het hoe hogy hola hur ich icin ihnen ihr ihre ik il im
    inte ist istersiniz ja jag jak jaka jaki jakie jako jaky je jeg jego jeho jest jestem jeszcze jo
    joku jos kaj kan kann kde kdy keine kirja kitap kniha knihu koje kom ksiazka ksiazke kto ktora
    ktory kun kus la las le leggere les libro libros livre livro lo los lub ma maar mais mas mehr
    mein meine merci mes met mi mia mij mijn mikin mina minden mis mit mitka mn mnie mochten moet
    moeten mogen mon moze mozete mozna muss muy na nach nao ne nebo neem nej neki nel nella nello
    nem nest nicht nie niet niin noch nog non nous nu nur obrigado och od oder og ola om onko op
    oraz os ou oui pa paese pana pani panu para parle pelicula perche pero piu po pode podem podria
    por pour pouvez prefere preferez preferisce prefiere prego pri prima prosze przed puede puedo
    puis puo qual quale quali que quel quelle quelles quels questa questo qui quiere quieres quiero
    quoi saber salve sao sapere se ser seria si sich sie siihen sind skulle slags som sono souhaitez
    soy sta su suis sul sur sus svoj szeretne te tengo tez ti tiene tipo tis toch todo tot toutes
    tres tu tuo uit um una unas und une uno unos uns usted uw vagy vagyok veel vel ver vi vic vil
    vilken vilket vill voce voglio voi voici vole von voor vorrebbe vosotros votre voudriez vous
    vuoi vuole welche welchem welchen welcher welches welk welke wenn werden wie wij wil willst
    wilt wir wird wo wollen worden wurde yo yoksa za ze zeg ziet zijn zou zu zum zur
    """.split()
)
"""Words of other languages that are no English words."""

_SHARED = frozenset(
    "a i in on no me an as so do die den war bin man he is we son us to am all men dig at per "
    "film plan information region book books can for be was must propose original "
    "has had type author catalogue edition age point ten come our if station note question pages "
    "radio message car tout fin face test star stars problem service".split()
)
"""English words that other languages have too."""

_ENGLISH = (COMMON - _SHARED) | frozenset(
    "english french german spanish italian russian japanese chinese swedish polish dutch".split()
)
_ENDINGS = frozenset(("'s", "'t", "'d", "'m"))
_LOANS = COMMON | frozenset("naive cafe cliche fiance decor role resume elite".split())
_IN_TITLES = frozenset("de la le les du des d l el los las di da dei della of the and y et".split())

_WORD = re.compile(r"(?<![\w'])[^\W\d_]+(?:'[^\W\d_]+)*")
_BETWEEN_CLAUSES = re.compile(r"[.?!;:\n()…¿¡,—–|]+")
_FEW = 2


def is_english(page: Sequence[Line], known: Callable[[str], bool]) -> bool:
    """False only where the message is wholly in another language or script.

    One clause of English makes it readable, and so does a message of one or two words. Words
    written with a capital inside a clause are left out, for they may be names or titles.
    `known(word)`: whether it is a word of the domain in English.
    """
    foreign = 0
    size = 0
    for line in page:
        if TAG in line.text and _is_name(line.text):
            continue
        if line.text.isascii():
            plain = line.text.lower().split()
            if len(_ENGLISH.intersection(plain)) > 1 and _FOREIGN.isdisjoint(plain):
                return True
        for clause in _BETWEEN_CLAUSES.split(line.text):
            words = _WORD.findall(clause)
            if not words:
                continue
            verdict = _judge(words, known)
            if verdict > 0:
                return True
            foreign -= verdict
            size += sum(map(_words_in, words))
    return foreign == 0 or size <= _FEW


def _is_name(text: str) -> bool:
    """Whether most words have a capital, as in a title that stands beside its tag."""
    words = _WORD.findall(text)
    return 2 * sum(word[0].isupper() for word in words) >= len(words)


def _words_in(run: str) -> int:
    """How many words a run of letters is, for some scripts leave no space between words."""
    return max(1, len(run) // 2) if "\u0e00" <= run[0] < "\uac00" else 1


def _is_latin(word: str) -> bool:
    return word[0] < "\u0250" or "\u1e00" <= word[0] < "\u1f00"


def _judge(words: list[str], known: Callable[[str], bool]) -> int:
    """1 for a clause in English, -1 for one in another language, 0 where nothing tells."""
    if not "".join(words).isascii() and 2 * sum(map(_is_latin, words)) < len(words):
        return -1
    titled = len(words) > 1 and not words[0].islower()
    if titled and all(word in _IN_TITLES for word in words[1:] if word.islower()):
        return 1 if all(word.isupper() and word.lower() in COMMON for word in words[:2]) else 0
    own = [word for at, word in enumerate(words) if at == 0 or word.islower() or word.isupper()]
    lower = [word.lower() for word in own]
    english = len(_ENGLISH.intersection(lower)) + sum(word[-2:] in _ENDINGS for word in lower)
    foreign = len(_FOREIGN.intersection(map(fold_word, lower))) + sum(map(_is_marked, own))
    if english > foreign:
        return 1
    if foreign > english:
        return -1
    if english:
        return 1
    own = [word for word in own if len(word) > 1]
    plain = sum(1 for word in lower if word in _SHARED or known(word))
    return 0 if plain * 2 >= len(own) or len(own) <= _FEW + 1 else -1


def _is_marked(word: str) -> bool:
    """Whether the word bears a sign that English does without."""
    return not (word.isascii() or word.isupper() or fold_word(word) in _LOANS)


__all__ = ["is_english"]
