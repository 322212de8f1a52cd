"""A live table: game, unit, seats, deadlines and wire messages, as one machine without I/O."""
