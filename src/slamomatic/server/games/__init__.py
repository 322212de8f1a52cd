"""What becomes of finished games: kept, counted, rated, shown again; and what the operator does about players."""
