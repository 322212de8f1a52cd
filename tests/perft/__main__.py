"""Count again and write the golden file: ``python -m tests.perft``.

Only for a change of the rules that is meant: say in the commit which rule changed, and look at the difference.
"""

from tests.perft.positions import CASES, GOLDEN, counted, written

if __name__ == "__main__":
    GOLDEN.write_text(written([counted(case) for case in CASES]))
