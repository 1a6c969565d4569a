"""Correction requests and their decisions; deletion of entries."""
