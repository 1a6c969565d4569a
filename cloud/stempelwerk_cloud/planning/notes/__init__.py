"""Notes that administrators write for a day."""
