"""A statement on paper."""
