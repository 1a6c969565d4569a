"""Guesses at passwords and codes: counted, slowed, refused."""
