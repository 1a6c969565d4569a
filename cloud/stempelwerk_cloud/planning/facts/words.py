"""Refusals of a company's settings for accounts and leave."""

ONLY_EARLIER = "Hier ist nur ein früherer Tag möglich: Was seitdem gerechnet wurde, bleibt so gerechnet."
