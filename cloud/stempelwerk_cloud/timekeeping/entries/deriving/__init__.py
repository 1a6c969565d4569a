"""Deriving people's entries anew where something changed: what is read for it, and what is written."""
