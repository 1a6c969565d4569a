"""Days, or halves of days, that a company gives everybody, beside the public holidays."""
