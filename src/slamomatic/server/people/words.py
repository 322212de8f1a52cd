"""What the filter's own dictionary does not know: words nobody wants to read at a table, and names that look like some.

The English list of the library is taken whole. Of its other languages only long words are: their short ones are too
many people's names (Peter, Anita, Fan). The short ones that are nobody's name stand here.
"""

from __future__ import annotations

LONG = 6
"""Words of other languages with so many letters are taken from the library."""

FOUL = (
    "ass hole", "biatch", "big cock", "big dick", "chink", "chinks", "cock head", "cumshot", "cvnt", "dick head",
    "dick pic", "dickhead", "dickpic", "fag", "fags", "fat dick", "gook", "gooks", "heil hitler", "huge dick", "kkk",
    "knobhead", "kunt", "my cock", "my dick", "nazi", "nazis", "niglet", "nonce", "pornstar", "pussies", "sieg heil",
    "suck dick", "suck my", "wanker", "wankers", "white power", "whore", "whorehouse", "whores", "zipperhead",
    "ficken", "fick dich", "fotze", "hure", "nutte", "scheisse", "schlampe", "schwuchtel", "wixer",
    "encule", "merde", "nique", "pute", "putes", "ta mere",
    "cabron", "chinga", "coño", "culo", "joder", "maricon", "mierda", "pendejo", "puta", "putas", "puto", "putos",
    "cazzo", "figa", "frocio", "minchia", "porra", "viado",
    "hoer", "kanker", "klote", "chuj", "chuje", "jebac", "kurwa", "pizda", "fitta", "vittu", "amk", "orospu", "sikim",
    "blyat", "cyka", "suka blyat", "хуй", "хуи", "бля", "сука", "блядь", "пизда", "ебать", "пидор", "мудак", "гандон",
    "chutiya", "gandu", "madarchod", "bhenchod", "behenchod",
)  # fmt: skip

FOUL_INSIDE = (
    "fuck", "fvck", "phuck", "nigger", "nigga", "faggot", "cunt", "hitler", "cocksuck", "bitch", "dickhead", "shithead",
    "bullshit", "shitface", "asshole", "arsehole", "pedophil", "paedophil", "blowjob", "cumshot", "rapist", "whore",
    "arschloch", "hurensohn", "wichser", "fotze", "scheiss", "vaffanculo", "klootzak", "madarchod", "bhenchod",
    "пизд", "хуес", "хуйл", "пидор", "пидар", "бляд",
    "傻逼", "操你", "他妈的", "肏", "씨발", "시발", "개새끼", "병신",
    "ちんこ", "まんこ", "チンコ", "マンコ", "死ね", "شرموط",
)  # fmt: skip
"""Foul wherever they stand in a word."""

INNOCENT = ("scunthorpe", "snigger", "therapist")
"""Words in which one of those stands by chance."""

BORNE = (
    "butt", "concha", "coomer", "carita", "dick", "escort", "fick", "gerber", "hooker", "lolita", "marica", "playboy",
    "regina", "rosette", "sharma", "simp", "snatch", "spagnola", "swinger", "tayyip", "tosser", "twinkie", "amador",
    "belino", "biting", "domination", "twink", "suck", "poof", "octopussy", "negro", "missionary", "intercourse",
)  # fmt: skip
"""In a dictionary of the library, but people's names, or harmless at a card table."""

SAFE = ("Bonner", "Annus", "De Cock", "Tiit")
"""Names that the library would take for something else, for how it reads stretched letters."""
