"""Handing a duty to a colleague."""
