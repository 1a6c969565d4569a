"""The address at which a calendar finds a person's own duties."""
