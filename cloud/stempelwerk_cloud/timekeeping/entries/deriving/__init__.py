"""Re-derivation of people's entries after a change: what is read for it, and what is written."""
