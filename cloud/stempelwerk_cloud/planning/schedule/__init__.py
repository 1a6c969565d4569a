"""The roster: who has a duty on which day."""
