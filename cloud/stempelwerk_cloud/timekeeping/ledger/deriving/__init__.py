"""How entries are derived from stamps and decisions."""
