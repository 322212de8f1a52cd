"""Many games, fast: experiments, simulations and studies of the game."""
