"""The import of people from a table."""
