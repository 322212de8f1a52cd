"""Names: whatever a person would read as foul is refused, however it is written; whatever is a name is one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slamomatic.server.people.names import BEASTS, MOODS, fit_name, folded, made_up_name
from slamomatic.table.names import BOT_NAMES, clean_name
from slamomatic.table.output import Refusal
from slamomatic.table.protocol import MAX_NAME, RefusalCode

PLAINLY_FOUL = (
    "fuck", "Fuck You", "FUCKER", "motherfucker", "shit", "ShitHead", "bullshit", "cunt", "nigger", "nigga", "faggot",
    "fag", "kike", "spic", "chink", "gook", "paki", "wetback", "retard", "bitch", "son of a bitch", "whore", "slut",
    "asshole", "ass hole", "dickhead", "big dick", "cocksucker", "penis", "pussy", "vagina", "porn", "pornstar",
    "rapist", "cumshot", "wanker", "twat", "tits", "blowjob", "dildo", "hitler", "Adolf Hitler", "sieg heil", "neonazi",
    "KKK", "Scheiße", "Arschloch", "Hurensohn", "Fotze", "Wichser", "puta", "mierda", "pendejo", "putain", "merde",
    "connard", "salope", "cazzo", "stronzo", "vaffanculo", "kurwa", "klootzak", "orospu", "caralho", "blyat", "сука",
    "блядь", "хуй", "пизда", "傻逼", "씨발", "madarchod",
)  # fmt: skip

DISGUISED = (
    "f u c k", "f.u.c.k", "F-u-c-k", "f_u_c_k", "fu ck", "fuuuuck", "fvck", "phuck", "f*ck", "f**k", "sh1t", "sh!t",
    "$hit", "5hit", "s h i t", "c u n t", "cvnt", "n1gger", "nigg3r", "n i g g e r", "n!gga", "ni99er", "f4ggot",
    "r3tard", "b1tch", "b!tch", "wh0re", "5lut", "a55hole", "@sshole", "d1ckhead", "p3nis", "pu55y", "p0rn", "h1tler",
    "bl0wj0b",
    "xXfuckXx", "fuckboy99", "BigFuck", "shithead42", "cuntface", "niggas",
    "ƒuck", "fυck", "ｆｕｃｋ", "𝓯𝓾𝓬𝓴", "𝕗𝕦𝕔𝕜", "ⓕⓤⓒⓚ", "🅵🆄🅲🅺", "🇫🇺🇨🇰", "ꜰᴜᴄᴋ", "f\u0332u\u0332c\u0332k\u0332",
    "fu\u200bck", "f\u00aduck", "fuсk", "FUСK", "fück", "сunt", "nïgger", "ηigger", "ｎｉｇｇｅｒ",
)  # fmt: skip
"""Spaces, figures, look-alike letters of other alphabets, letters in circles and squares, and what nobody sees."""

NAMES = (
    "Ann85", "Player 85", "Tim 17",
    "Ann", "Scunthorpe", "Penistone", "Lightwater", "Clitheroe", "Dick van Dyke", "Dick", "Dick Tracy", "Moby Dick",
    "Cassandra", "Essex", "Sussex", "Middlesex", "Hancock", "Hitchcock", "Peacock", "Cockburn", "Alcock", "Woodcock",
    "De Cock", "Nigel", "Niger", "Nigeria", "Snigger", "Matsushita", "Yoshita", "Ashita", "Shi Ting", "Kumiko",
    "Cummings", "Cumberland", "Titania", "Titus", "Tittmann", "Analise", "Annalee", "Analía", "Bassist", "Hassan",
    "Lassie", "Grass", "Rapunzel", "Draper", "Therapist", "Fukuda", "Fukushima", "Phuc", "Dikshit", "Lipshitz", "Kuntz",
    "Arsenal", "Fanny", "Willy", "Randy", "Gay", "Gaylord", "Lesbos", "Isis", "Uranus", "Janus", "Anushka", "Cocktail",
    "Pussycat", "Spica", "Auspice", "Suki", "Button", "Butcher", "Butt", "Hooker", "Regina", "Virginia", "Putin",
    "Reputation", "Fick", "Huyen", "Bich Ngoc", "Sexton", "Nazir", "Ignazio", "Tycoon", "Raccoon", "Fagin", "Fagan",
    "Pakistani", "Pornthip", "Supaporn", "Mustafa", "Kösemen", "Lolita", "Mona", "Mama", "Peter", "Johnny", "Anita",
    "Hans-Peter", "Fan", "Lan", "Randi", "Amin", "Bonner", "Montenegro", "Negrón", "Blackie", "Slutsky", "Hello",
    "Simpson", "Hennig Gerber", "Acun Tabak", "Ümit", "Çağla", "José", "Zoë", "Łukasz", "Søren", "Владимир",
    "Любослава", "太郎", "さくら", "김민수", "محمد", "दीपक", "Αναστασία", "חיים", "Nguyễn", "Mr. T", "R2-D2", "Bob 69",
    "O'Brien", "Jean-Luc", "Player 1", "Slam King", "Last Card", "Grandma",
)  # fmt: skip
"""Names of people, places and beasts that a careless filter refuses."""


@pytest.mark.parametrize("name", PLAINLY_FOUL + DISGUISED)
def test_a_foul_name_is_refused_however_it_is_written(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        fit_name(name)
    assert refused.value.code is RefusalCode.BAD_NAME
    assert name not in refused.value.text


@pytest.mark.parametrize("name", NAMES + BOT_NAMES)
def test_a_name_that_only_looks_foul_to_a_program_is_a_name(name: str) -> None:
    assert fit_name(name) == clean_name(name)


def test_every_name_the_server_makes_up_is_fit_to_be_seen() -> None:
    for mood in MOODS:
        for beast in BEASTS:
            name = f"{mood} {beast}"
            assert fit_name(name) == name
            assert len(name) <= MAX_NAME


def test_made_up_names_differ() -> None:
    rng = random.Random(4)
    assert len({made_up_name(rng) for _ in range(200)}) > 100


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u2800", "...", "\u0301"])
def test_a_name_needs_something_readable(text: str) -> None:
    with pytest.raises(Refusal, match="read"):
        fit_name(text)


def test_letters_of_other_scripts_stay_what_they_are() -> None:
    assert folded("Владимир 太郎 محمد") == "Владимир 太郎 محمد"
    assert folded("Łukasz Søren Çağla Nguyễn") == "Lukasz Soren Cagla Nguyen"


@given(st.text(max_size=MAX_NAME))
def test_any_text_is_judged(text: str) -> None:
    try:
        name = fit_name(text)
    except Refusal:
        return
    assert len(name) <= MAX_NAME
    assert fit_name(name) == name


@pytest.mark.parametrize("char", ["\ufdfa", "\u3300", "\u33c2"])
def test_a_name_that_is_longer_than_it_looks_is_refused_without_being_judged(char: str) -> None:
    with pytest.raises(Refusal) as refused:
        fit_name("Ann" + char * 12)
    assert refused.value.code is RefusalCode.BAD_NAME
    assert "longer than it looks" in refused.value.text
