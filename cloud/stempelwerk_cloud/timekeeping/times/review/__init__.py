"""Entries that need review."""
