"""Clocks: which there are, whose they are, when they were heard, what they log."""
