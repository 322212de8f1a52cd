"""Players of code: a View in, a command out, and how fast a hand moves."""
