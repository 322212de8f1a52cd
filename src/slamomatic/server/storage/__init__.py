"""Everything that outlives the process: one database, one writer, and the tables in it."""
