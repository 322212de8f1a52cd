"""The Slam-o-matic: touches in, a verdict out. Time is an argument. Knows seats, never cards."""
