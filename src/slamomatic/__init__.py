"""Hands Down, the 1964 dexterity card game: its rules, its unit, its table, and a lab to study it."""

__version__ = "0.1.0"
