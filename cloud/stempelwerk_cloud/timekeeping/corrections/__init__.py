"""Correction requests and their decisions; deletion of entries."""

PUBLISHED = ("decisions.answers", "queries")
