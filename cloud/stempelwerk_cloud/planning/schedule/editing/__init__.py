"""Changes of the roster, and its publication."""
