"""Sick reports with their notes, and the messages about them."""
