"""Companies, the modules they may use, and their dated settings."""
