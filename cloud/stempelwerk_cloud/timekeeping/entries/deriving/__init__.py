"""Derivation of people's entries after a change: finding and reading what is needed, and writing the differences."""
