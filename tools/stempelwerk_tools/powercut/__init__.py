"""Power cuts under SQLite: the state of a database when the disk keeps only what was synced."""
