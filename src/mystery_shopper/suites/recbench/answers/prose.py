"""Running text: refusals, lines of bare titles, and titles that sentences recommend."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from mystery_shopper.suites.recbench.answers.lists import DETAIL
from mystery_shopper.suites.recbench.answers.model import (
    MOST_LINE,
    MOST_LINES,
    MOST_TEXT,
    MOST_TITLES,
    Named,
)
from mystery_shopper.suites.recbench.answers.titles import YEAR, named

NOTHING = re.compile(
    r"^\W*(?:none(?: found| available| exist)?|n/?a|null|nil|empty|unknown|(?:i )?pass"
    r"|impossible"
    r"|not (?:possible|sure|available|applicable)|no (?:idea|match|luck|clue)"
    r"|zero (?:results|matches|recommendations|films|movies|books)"
    r"|nothing(?: (?:found|fits|matches|comes to mind))?"
    r"|unfortunately,? (?:no|none|nothing|not)|(?:my |sincere )*apologies"
    r"|i (?:do not|don['’]t) know(?: (?:any|one|of any|that|of one))*"
    r"|i (?:must|have to|will|would) (?:decline|pass|refuse)"
    r"|there (?:isn['’]t|aren['’]t|is not|are not) (?:any|one|a .{1,60}|an .{1,60})"
    r"|(?:keine?r?|ning[uú]n[oa]?|aucune?|nessun[oa]?|nenhuma?)(?: (?:empfehlung\w*|filme?s?"
    r"|treffer|titel|pel[ií]culas?|recomendaci[oó]n|titres?|recommandation|titolo"
    r"|raccomandazione|recomenda[cç][aã]o)(?: .{1,60})?)?"
    r"|no (?:recommendations?|(?:such )?(?:movies?|films?|books?"
    r"|items?|matches"
    r"|results?|titles?))(?: (?:found|match(?:es)?|available|exist|fit|to recommend|at this time"
    r"|for this (?:query|request)))*"
    r"|(?:recommendations?|answer|final answer|result)\W*[:=]\W*(?:none(?: found)?|n/?a"
    r"|\[\s*\]|null|nothing)"
    r"|there (?:are|is) (?:none|nothing|no .{1,40}))\W*$",
    re.I,
)
_REFUSAL = re.compile(
    r"\b(?:(?:i(?:['’]m| am)? (?:was |am )?|we(?:['’]re| are)? )?(?:can(?:not|['’]t)|could(?: not"
    r"|n['’]t)|unable to|not able to"
    r"|do(?: not|n['’]t)|did(?: not|n['’]t)) (?:to )?(?:recommend|find|suggest|identify|provide"
    r"|locate|help|offer|think of"
    r"|know of|have (?:any|information|data|enough|a record|records)|assist|answer|fulfil|see any"
    r"|come up)"
    r"|there (?:are|is|were|seem to be|appear to be|don['’]t seem to be) (?:no|not any|none)\b"
    r"|no (?:known |such |other |further |matching |suitable )?(?:movies?|films?|books?|titles?"
    r"|items?|recommendations?|results?|matches)\b"
    r"|nothing (?:matches|fits|in (?:the|my))|(?:i['’]m |i am )?sorry\b|apologi[sz]e"
    r"|none of (?:the|these|them)"
    r"|(?:doesn['’]t|does not|don['’]t) (?:seem to )?(?:exist|match|appear))",
    re.I,
)
_QUOTED = re.compile(
    r"(?:\*\*(?P<bold>[^*\n]{1,200})\*\*|(?<![*\w])\*(?P<italic>[^*\n]{1,200})\*(?![*\w])"
    r"|(?<![\w_])_(?P<line>[^_\n]{1,200})_(?!\w)"
    r"|[\"“„«](?P<quoted>[^\"“”„«»\n]{1,200})[\"”»]"
    r"|(?<!\w)['‘](?P<single>[A-Z0-9][^'‘’\n]{0,150}?(?:['’]\w[^'‘’\n]{0,80}?)*)['’](?!\w))"
    r"(?P<after>\s*[(\[][^()\[\]\n]{0,60}[)\]])?"
)
_DATED = re.compile(
    rf"(?P<title>(?:[A-Z0-9¡¿][^\s()\[\],]*)(?:,? (?:[A-Z0-9&][^\s()\[\],]*|(?:of|the|and|in|on|a"
    rf"|an|to|for|from|with|at|by|or|de|la|le|du|der|des|vs\.?|is|as|que|y"
    rf"|e)\b(?!\s*[(\[]))){{0,14}})"
    rf"(?: \([^()\d]{{1,80}}\))?\s*[(\[](?P<year>{YEAR})[)\]]"
)
_LEAD = re.compile(
    r"^(?:(?:you|i|we|he|she|they|try|watch|read|see|check out|consider|also|and|then|if|for"
    r"|maybe|perhaps|like|of course|"
    r"some|other|another|great|both|including|include|finally|next|first|second|third|lastly"
    r"|additionally|similarly"
    r"|recommend|suggest|recommended|here|my|top|pick|picks)\b[,:]?\s+)+",
    re.I,
)
CUE = re.compile(
    r"\b(?:(?:i(?:['’]d| would)?|we(?:['’]d)?)?\s*(?:highly |strongly |also |definitely "
    r"|really )*(?:recommend|suggest|propose)(?:ations? (?:is|are|include))?"
    r"|try|watch|check out|consider|go (?:for|with)|you (?:might|may|could|should|will|['’]ll"
    r"|would) (?:also )?(?:enjoy|like|love|want to (?:watch|see|read|try))"
    r"|such as|including|includes?|options? (?:is|are)|picks? (?:is|are)|films? (?:is|are)"
    r"|movies? (?:is|are)|books? (?:is|are))\b:?\s+",
    re.I,
)
_LIKED = re.compile(
    r"(?:\b(?:since|because|as|if|when|given|considering|based on)\b[^.;!?]{0,60}?\b(?:you|your"
    r"|user)\b[^.;!?]{0,60}"
    r"|\b(?:similar to|in the (?:vein|style|spirit) of|reminiscent of|fans? of"
    r"|like you(?:r)? (?:mentioned|favou?rite)|you(?:['’]ve| have)?(?: already| also| probably"
    r"| surely| likely| recently| previously)? (?:mentioned|liked|loved"
    r"|enjoyed|watched|seen|read)"
    r"|you (?:like|love|enjoy)|known for|famous for|from the (?:director|maker|author"
    r"|creator)s? of|the (?:director|star|writer|author) of"
    r"|also (?:directed|made|starred in|wrote)|sequel to|based on|not|n['’]t|avoid|instead of"
    r"|rather than|unlike|except|other than|besides|confus\w+ with)\s*[^.;!?,]{0,40})$",
    re.I,
)
_OVER = re.compile(r"\bover\s*[\"“'‘*_(]*$")
"""Before what something else is preferred to."""
_PREFERRED = re.compile(r"\s+(?:over|rather than|instead of|more than)\s+(?=[A-Z\"“*_])")
NEGATED = re.compile(
    r"\b(?:not recommend|wouldn['’]t recommend|can(?:not|['’]t) recommend|avoid|skip|(?:was|were"
    r"|is|are|did|does|do) ?n(?:o|['’])t\b|wasn['’]t|isn['’]t|aren['’]t|weren['’]t|didn['’]t"
    r"|doesn['’]t|never"
    r"|incorrect|mistaken|mistake|misattribut\w+|actually|in fact|confus\w+|no record|no evidence"
    r"|not (?:by|directed|written|in|involved|credited|associated|the)\b)",
    re.I,
)
_MOST_REFUSAL = 4000
_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!Mr\.)(?<!Dr\.)(?<!Ms\.)(?<!vs\.)(?<!St\.)(?<!Mrs\.)(?<!\b[A-Z]\.)"
    r"\s+(?=[A-Z\"“*_'‘(])|\n+"
)
SPLIT = re.compile(
    r",\s+and\s+(?=[A-Z0-9\"“])|,\s+(?=[A-Z0-9\"“])|\s+(?:and|or)\s+(?:(?:maybe|perhaps"
    r"|even)\s+)?(?=[A-Z0-9\"“])|;\s+"
)
_SEMICOLON = re.compile(r"\s*;\s+")
_COLUMNS = re.compile(r"^\W*(?:movie|film|book|title|name)s?\s*[,;\t]", re.I)
_HEADED = re.compile(r"^(?:\w+ )?(?:movies?|films?|books?|titles?|recommendations?)\s*:\s*", re.I)
OFFER = re.compile(r"\b(?:let me know|would you like|do you want|if you (?:want|meant))\b", re.I)
_YEARS = re.compile(rf"[(\[]{YEAR}[)\]]")
_YEAR_LINE = re.compile(rf"^\W*(?:release )?year\W+({YEAR})\b", re.I)
ADDRESS = re.compile(
    r"^(?:i|you|we|my|try|consider|check|how about|maybe|perhaps|since|because|if|as|given"
    r"|based)\b",
    re.I,
)
_TRAILING = re.compile(
    r"\s+(?:is|are|was|were|which|that|who|because|since|for|if|as|would|will|might"
    r"|could|should|with its|has|have|by|from|starring|directed)\b.*$"
)


_LIMITED = re.compile(
    r"\b(?:more than|(?:any|no|none|find|know of|recommend|suggest) (?:other|others|more|further"
    r"|additional|another)\b|another\b|a (?:second|third)\b|beyond (?:that|this|it|these))",
    re.I,
)
"""What a refusal says that is only one of more than is named."""
_AFFIRMS = re.compile(
    r"\b(?:fits|fit|matches|match|meets|meet|qualifies|qualify|satisfies|satisfy)\b"
    r"(?! (?:only|some|most|part|the first|the second|one|two|three|many|almost|nearly|all but)\b)",
    re.I,
)
_HALF = re.compile(r"\b(?:only|but|except|although|though|partly|partially|nearly|almost)\b", re.I)


def says_nothing(text: str) -> bool:
    """Whether a text as a whole says that there is nothing to recommend."""
    return len(text) < 200 and NOTHING.match(text) is not None


def refuses(text: str) -> bool:
    """Whether a text says that it has nothing to recommend or will not."""
    return _REFUSAL.search(text[:_MOST_REFUSAL]) is not None or says_nothing(text)


def bare_lines(lines: Sequence[str]) -> list[Named]:
    """A title on each line, where every line looks like one; or several in a row on one line. Lines
    such as "Director: …" tell of the title above them."""
    said = [line.strip() for line in lines if line.strip()]
    if len(said) > 1 and (said[0].endswith(":") or _is_talk(said[0])):
        said = said[1:]
    while len(said) > 1 and _is_talk(said[-1]):
        said = said[:-1]
    if not said or any(_is_talk(line) for line in said if not DETAIL.match(line)):
        return []
    if len(said) == 1 and SPLIT.search(said[0]) and not _YEARS.search(said[0]):
        return _row(said[0])
    if len(said) == 1 and said[0].endswith((".", "!")) and len(said[0].split()) > 8:
        return []
    if len(said) > 1 and _COLUMNS.match(said[0]):
        said = said[1:]
    if len(said) == 1 and (len(_YEARS.findall(said[0])) > 1 or refuses(said[0])):
        return []
    items: list[Named] = []
    for line in said[:MOST_LINES]:
        year = _YEAR_LINE.match(line)
        if year and items:
            items[-1] = structs.replace(items[-1], year=int(year[1]))
        elif not DETAIL.match(line) and (item := named(line)):
            items.append(item)
    return items


def _row(line: str) -> list[Named]:
    """A line of titles set off by commas; nothing where a piece is none. One comma alone may stand
    in a title: then the whole is the first reading."""
    semicolons = line.count(";") > 1 or (";" in line and "," in line)
    pieces = (_SEMICOLON if semicolons else SPLIT).split(line.rstrip(";" if semicolons else "."))
    if any(len(piece.split()) > 8 or not piece[:1].isalnum() for piece in pieces):
        return []
    if len(pieces) < 3 and not semicolons:
        whole = named(line)
        return [whole] if whole else []
    return [item for piece in pieces if (item := named(piece))]


def _is_talk(line: str) -> bool:
    """Whether a line is talk and no title."""
    words = line.split()
    if CUE.search(line) and (ADDRESS.match(line) or len(_SENTENCE.split(line)) > 1):
        return True
    title = re.split(rf"[(\[]{YEAR}[)\]]|\s[-–—]\s", line)[0].split()
    if len(title) > 14:
        return True
    if len(title) == len(words) and len(words) > 3 and line.endswith((".", "!", "?", ":")):
        lower = sum(word[:1].islower() and len(word) > 3 for word in words)
        return lower >= 2 or line.endswith((":", "?"))
    return sum(word[:1].islower() and len(word) > 3 for word in title) > max(3, len(title) // 2)


def in_sentences(text: str) -> list[Named]:
    """The titles that sentences recommend: marked ones, dated ones, and those in a row behind a
    word such as "recommend". A title that stands for comparison, or in a sentence that denies
    something, is none."""
    items: list[Named] = []
    denies = refuses(text)
    limited = denies and _LIMITED.search(text[:_MOST_REFUSAL]) is not None
    for sentence in _SENTENCE.split(text):
        if len(items) >= MOST_TITLES:
            break
        sentence = sentence[:MOST_LINE]
        denied = (denies and not (limited and _affirms(sentence))) or NEGATED.search(sentence)
        if len(sentence) < 2 or (denied and not CUE.search(sentence)) or OFFER.search(sentence):
            continue
        found = list(_marked(sentence)) or list(_dated(sentence)) or list(_in_row(sentence))
        items.extend(found)
    return items


def _affirms(sentence: str) -> bool:
    """Whether a sentence says that something fits, and no more than that."""
    if refuses(sentence) or NEGATED.search(sentence) or _HALF.search(sentence):
        return False
    return _AFFIRMS.search(sentence) is not None


def _marked(sentence: str) -> Iterator[Named]:
    for found in _QUOTED.finditer(sentence):
        inner = next(
            part for n in ("bold", "italic", "line", "quoted", "single") if (part := found[n])
        )
        before = sentence[max(0, found.start() - 160) : found.start()]
        if _LIKED.search(before) or _OVER.search(before):
            continue
        if inner.rstrip(" .").endswith(":") or not (inner[:1].isupper() or inner[:1].isdigit()):
            continue
        item = named(f"“{inner.strip(' .,')}”{found['after'] or ''}")
        if item is not None and len(item.title.split()) <= 14:
            yield item


def _dated(sentence: str) -> Iterator[Named]:
    for found in _DATED.finditer(sentence):
        before = sentence[max(0, found.start() - 160) : found.start()]
        if _LIKED.search(before) or _OVER.search(before):
            continue
        title = _LEAD.sub("", found["title"]).strip(" ,") or found["title"]
        title = _HEADED.sub("", re.sub(r"^(?:and|or)\s+", "", title)) or title
        yield Named(title, int(found["year"]))


def _in_row(sentence: str) -> Iterator[Named]:
    cue = CUE.search(sentence)
    if cue is None or NEGATED.search(sentence[: cue.end()]):
        return
    rest = sentence[cue.end() :].rstrip(".!? ")
    rest = re.sub(
        r"^(?:the (?:following )?(?:movies?|films?|books?)|watching|reading|checking out)\s*:?\s*",
        "",
        rest,
    )
    for part in SPLIT.split(_PREFERRED.split(rest)[0])[:50]:
        piece = re.sub(r"^(?:maybe|perhaps|also|either|even)\s+", "", part)
        piece = _TRAILING.sub("", piece).strip(" ,.")
        if piece[:1].isupper() or piece[:1].isdigit():
            words = piece.split()
            lower = sum(word[:1].islower() and len(word) > 3 for word in words)
            if len(words) <= 10 and lower <= 1 and (item := named(piece)):
                yield item


def mentioned(text: str) -> list[Named]:
    """Every title that a text marks by quotes, emphasis or a year, whatever it says of it."""
    found: list[Named] = []
    for match in _QUOTED.finditer(text[:MOST_TEXT]):
        inner = next(
            part for n in ("bold", "italic", "line", "quoted", "single") if (part := match[n])
        )
        if item := named(f"“{inner.strip(' .,')}”{match['after'] or ''}"):
            found.append(item)
    for match in _DATED.finditer(text[:MOST_TEXT]):
        title = _LEAD.sub("", match["title"]).strip(" ,") or match["title"]
        found.append(Named(re.sub(r"^(?:and|or)\s+", "", title), int(match["year"])))
    return found[:MOST_TITLES]
