"""Companies, their people, and who may do what."""
