"""Companies and people for all rooms: tables, names, modules, dated settings, and callers."""
