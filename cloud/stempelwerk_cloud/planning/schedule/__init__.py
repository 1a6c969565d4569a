"""The roster: people's duties by day."""
