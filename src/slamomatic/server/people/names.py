"""What people may be called: a name that can be read, and that nobody minds reading.

Laws of this room:
- a foul name is refused with a sentence, never quietly changed;
- what a name says counts, not how it is written: look-alike letters, figures for letters, spaces and dots between them
  are read as a person reads them;
- a name that only looks foul to a program (Scunthorpe, Dick van Dyke) is a name;
- the names this server makes up itself need no judge: every one of them is tested.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from glin_profanity import Filter, convert_homoglyphs, normalize_leetspeak
from glin_profanity.data.dictionary import dictionary

from slamomatic.game.chance import Rng, pick
from slamomatic.server.people.words import BORNE, FOUL, FOUL_INSIDE, INNOCENT, LONG, SAFE
from slamomatic.table.names import clean_name
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import MAX_NAME, RefusalCode

AVATARS = 2**31
"""So many pictures can be drawn; each is a number below."""
REMEMBERED = 4096
LONGEST = MAX_NAME + 4
"""Letters of a name once each is taken apart: one character may stand for eighteen, and judging them takes long."""

MOODS = (
    "Brisk", "Bold", "Calm", "Clever", "Cosy", "Eager", "Fleet", "Gentle", "Glad", "Jolly", "Keen", "Lively", "Lucky",
    "Merry", "Mighty", "Nimble", "Plucky", "Quick", "Quiet", "Sly", "Snappy", "Sunny", "Swift", "Wily",
)  # fmt: skip
BEASTS = (
    "Badger", "Bear", "Crane", "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Hare", "Heron", "Ibex", "Koala", "Lemur",
    "Lynx", "Magpie", "Marten", "Mole", "Moose", "Newt", "Otter", "Owl", "Panda", "Puffin", "Raven", "Robin", "Seal",
    "Stoat", "Swan", "Tapir", "Toad", "Vole", "Wombat", "Wren", "Yak",
)  # fmt: skip

_LETTER = re.compile(
    r"(?:NEGATIVE )?(?:LATIN|REGIONAL|SQUARED|CIRCLED) .*?LETTER (?:SMALL CAPITAL )?([A-Z])(?: WITH .+)?$"
)
"""How Unicode names whatever is drawn as one Latin letter, however adorned."""
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=\D)(?=\d)|(?<=\d)(?=\D)")
"""Where one word ends and the next begins without a space: ``BigOtter99``."""
_NUMBER = re.compile(r"(?<![^\W_])\d{1,3}(?![^\W_])")
"""A short number that stands by itself is one, and no figures for letters: a year, a shirt."""
_BETWEEN = re.compile(r"[\W_]+")


class NameFilter:
    """Judges names. Making one takes a moment: there is one for all, :func:`name_filter`."""

    def __init__(self) -> None:
        english = set(dictionary.get_words("english"))
        foreign = {
            word
            for language in dictionary.available_languages
            for word in dictionary.get_words(language)
            if len(word) >= LONG
        }
        self._filter = Filter(
            {
                "languages": ["english"],
                "custom_words": sorted(foreign - english) + list(FOUL),
                "ignore_words": list(BORNE),
                "whitelist": list(SAFE),
                "detect_leetspeak": True,
                "obfuscation": "strict",
            }
        )
        self._judged = lru_cache(REMEMBERED)(self._judge)

    def is_foul(self, text: str) -> bool:
        """Whether nobody should have to read this at a table."""
        return self._judged(text)

    def _judge(self, text: str) -> bool:
        plain = folded(text)
        said = _NUMBER.sub(" ", plain)
        spoken = normalize_leetspeak(convert_homoglyphs(said)).casefold()
        if any(map(_is_foul_inside, {*plain.casefold().split(), *spoken.split()})):
            return True
        readings = (spoken, _BETWEEN.sub("", plain), _NUMBER.sub(" ", _SEAM.sub(" ", plain)), said)
        apart = {reading.casefold(): reading for reading in readings}.values()
        return any(map(self._filter.is_profane, apart))


@cache
def name_filter() -> NameFilter:
    """The one judge of this process, awake: the first name takes as long as hundreds after it."""
    judge = NameFilter()
    judge.is_foul(MOODS[0])
    return judge


def fit_name(text: str) -> str:
    """The name as it is shown (:func:`~slamomatic.table.names.clean_name`).

    Raises:
        Refusal: there is nothing readable in it, or it is foul.
    """
    name = clean_name(text)
    if name is None:
        raise Refusal(RefusalCode.BAD_NAME, "a name needs a letter or a figure that can be read")
    if len(unicodedata.normalize("NFKC", name)) > LONGEST:
        raise Refusal(RefusalCode.BAD_NAME, "this name is longer than it looks: take one of plain letters")
    if name_filter().is_foul(name):
        raise Refusal(RefusalCode.BAD_NAME, "not everyone at a table would like to read this name: take another")
    return name


def made_up_name(rng: Rng) -> str:
    """A name for whoever brings none: "Brisk Otter"."""
    return f"{pick(rng, MOODS)} {pick(rng, BEASTS)}"


def folded(text: str) -> str:
    """The text in plain letters: what is drawn as a Latin letter is that letter; other scripts stay."""
    return "".join(map(_plain, unicodedata.normalize("NFKC", text)))


def _plain(char: str) -> str:
    if char.isascii():
        return char
    if drawn := _LETTER.match(unicodedata.name(char, "")):
        letter = drawn[1]
        return letter.lower() if char.islower() else letter
    return "" if unicodedata.category(char) in ("Mn", "Me", "Cf") else char


def _is_foul_inside(word: str) -> bool:
    for innocent in INNOCENT:
        word = word.replace(innocent, "")
    return any(foul in word for foul in FOUL_INSIDE)
