"""The calendar subscription for a person's own duties."""
