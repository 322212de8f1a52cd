"""Play the golden games again and write their transcripts: ``python -m tests.golden``.

Only for a change that is meant: of a rule, of what somebody sees, of the order of chance. Look at the difference.
"""

from tests.golden.transcript import GAMES, transcript

if __name__ == "__main__":
    for game in GAMES:
        game.path.write_text(transcript(game))
