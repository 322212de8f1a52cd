"""What nobody guesses: a table's code, which people read aloud, and a seat's ticket, which they never see."""

from __future__ import annotations

import secrets

ALPHABET = "34679BCDFGHJKMNPQRTVWXY"
"""No letter that looks like a figure or another letter (0 O, 1 I L, 2 Z, 5 S, 8 B), and no vowel: no code is a word."""
CODE_LENGTH = 6


def new_code() -> str:
    """A code for a table: one of 148 million."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def tidied(code: str) -> str:
    """The code as we write it, however it was typed."""
    return code.strip().upper()


def is_code(code: str) -> bool:
    """Whether it could be a table's at all."""
    return len(code) == CODE_LENGTH and set(code) <= set(ALPHABET)


def new_ticket() -> str:
    """A ticket for a seat: 192 random bits."""
    return secrets.token_urlsafe(24)
