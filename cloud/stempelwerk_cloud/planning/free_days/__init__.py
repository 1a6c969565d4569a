"""Days, or halves of days, that a company gives all employees in addition to public holidays."""
