"""The export for a tax audit."""
