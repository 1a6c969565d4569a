"""Log lines that clocks write about themselves; kept for a week."""

PUBLISHED = ("listing", "service", "tables")
