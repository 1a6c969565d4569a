"""The demo: the whole house on one machine with a company in it that could exist."""
