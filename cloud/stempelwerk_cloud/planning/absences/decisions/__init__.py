"""Decisions about absences, and what follows of them."""
