"""Decisions about corrections and deletions."""
