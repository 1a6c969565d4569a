"""Reading who among administrators looked at whose times."""
