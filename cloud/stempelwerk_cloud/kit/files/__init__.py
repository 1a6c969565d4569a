"""Files, encrypted with a key of their own that a company's key wraps."""
