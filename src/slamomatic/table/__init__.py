"""A live table: the game, the unit, seats, clocks and messages as one machine without I/O."""
