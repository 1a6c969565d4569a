"""Power cuts under SQLite: what of a database is left when the disk keeps only what was synced."""
