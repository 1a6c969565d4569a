"""Employment: a person's entry, exit, department, workdays, limits and pay, with the days they hold from."""

PUBLISHED = ("schemas", "service", "values", "words")
