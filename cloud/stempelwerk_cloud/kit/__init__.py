"""Plumbing without business words: everything here could serve another program unchanged."""
