"""A company's rows as they are stored, for its administrators."""
