"""Stamps, decisions and the entries derived from them: stored, placed and derived, and nothing else."""
