"""Other ways to read a text whose writing hides a word: as a reader would take it who wants to.

Lines are joined, markup and escapes resolved, look-alike letters put back, letters and digits
written apart joined, words run together parted, and letters drawn out shortened. Encodings that
have to be worked out (base64, a cipher, a word spelt backwards) are no reading.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

_QUOTES = str.maketrans({"‘": "'", "’": "'", "‛": "'", "ʼ": "'", "`": " ", "*": " ", "_": " "})
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]{0,300}>", re.DOTALL)
_SET = re.compile(r"[*_~`\\]+(?=\w)|(?<=\w)[*_~`\\]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GLUED = re.compile(r"(?<=[^\W\d])(?=\d{3})|(?<=\d{3})(?=[^\W\d])")
_LETTERS = re.compile(r"(?<![\w'])[^\W\d_](?:\W{1,4}[^\W\d_]){3,}(?![\w'])")
_CAPITALS = re.compile(r"(?<![\w'])[A-Z](?:[ .]{1,2}[A-Z])+(?![\w'])")
_DIGITS = re.compile(r"(?<!\w)\d(?:\W{1,3}\d){3,}(?!\w)")
_GROUPS = re.compile(r"(?<![\w.,])(?:\d{1,3}(?: \d{3})+|(?:1[3-9]|2[01]) \d\d)(?![\w.,])")
_MIXED = re.compile(r"\b(?=\w*[^\W\d_])(?=\w*\d)\w+\b")
_SIGNS = re.compile(r"(?<=[A-Za-z])[@$!|]+(?=[A-Za-z])|[@$](?=[A-Za-z]{2})")
_DRAWN = re.compile(r"([^\W\d_])\1{2,}")


def _pairs(letters: str, latin: str) -> dict[int, str]:
    return {ord(one): other for one, other in zip(letters, latin, strict=True)}


_ALIKE = {
    **_pairs("аеіјорсухѕԁһӏԛԝкмтвнг", "aeijopcyxsdhlqwkmtbhr"),
    **_pairs("АЕІЈОРСУХЅԚԜКМТВНЗ", "AEIJOPCYXSQWKMTBHE"),
    **_pairs("αβεηικνοπρτυχωγσ", "abenikvonptuxwys"),
    **_pairs("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    **_pairs("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
    **_pairs("ıłøđħŧɑɡ", "ilodhtag"),
    **{0x1F150 + n: chr(65 + n) for n in range(26)},
    **{0x1F170 + n: chr(65 + n) for n in range(26)},
}
_ALIKE[ord("π")], _ALIKE[ord("ρ")] = "n", "p"
_AS_LETTERS = str.maketrans("01345789", "oieastbg")
_AS_SIGNS = str.maketrans("@$!|", "asil")
_AS_DIGITS = str.maketrans("OoIl", "0011")


def plain(text: str) -> str:
    """The text in the usual letters: invisible characters, accents set on top, formatting and
    letters of other widths make no difference."""
    usual = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return "".join(
        letter
        for letter in usual
        if letter.isascii()
        or not (
            letter in _FILLERS
            or unicodedata.combining(letter)
            or unicodedata.category(letter) in ("Cf", "Me")
        )
    )


def guises(text: str) -> Iterator[str]:
    """The other readings of a text, each once, in plain letters; none where there is none."""
    seen = {plain(text)}
    opened = _opened(text)
    for one in (_GLUED.sub(" ", opened), _GLUED.sub(" ", _latin(opened))):
        for reading in (one, _DRAWN.sub(r"\1", one), _DRAWN.sub(r"\1\1", one)):
            if reading not in seen:
                seen.add(reading)
                yield reading


def _opened(text: str) -> str:
    """Without markup and escapes, on one line, what stands apart joined, the rest parted."""
    bare = unquote(html.unescape(text), errors="replace")
    bare = plain(_SET.sub("", _TAG.sub("", bare)))
    bare = re.sub(r"(?<=\w)-[ \t]*[\r\n]+[ \t]*", "", bare)
    bare = _LETTERS.sub(_joined, bare)
    bare = _DIGITS.sub(lambda found: re.sub(r"\D", "", found[0]), bare)
    bare = re.sub(r"\s+", " ", bare)
    bare = _CAPITALS.sub(lambda found: re.sub(r"\W", "", found[0]), bare)
    bare = _GROUPS.sub(lambda found: found[0].replace(" ", ""), bare)
    return _CAMEL.sub(" ", bare)


def _joined(found: re.Match[str]) -> str:
    """Letters as one word; where a word of one letter may stand at either end, without it too."""
    whole = re.sub(r"[\W_]", "", found[0])
    words = [whole]
    if whole[0] in "aAI":
        words.append(whole[1:])
    if whole[-1] in "aAI":
        words.append(whole[:-1])
    return " ".join(words)


def _latin(text: str) -> str:
    """With the letters and digits that others stand for."""
    latin = text.translate(_ALIKE)
    latin = _SIGNS.sub(lambda found: found[0].translate(_AS_SIGNS), latin)
    return _MIXED.sub(_unmixed, latin)


def _unmixed(found: re.Match[str]) -> str:
    word = found[0]
    digits = word.translate(_AS_DIGITS)
    if digits.isdecimal() and sum(letter.isdecimal() for letter in word) > 1:
        return digits
    return word.translate(_AS_LETTERS)
