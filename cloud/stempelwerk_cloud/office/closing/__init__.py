"""The end of a company: its archive, the retention and the purge of its data, and the tombstone that remains."""
