"""People: guests who come and go, and those who come back."""
