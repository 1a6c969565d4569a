"""Many people at once, from a table."""
