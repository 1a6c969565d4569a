"""Stamps as facts: stored once, placed, held if they cannot be booked, and then resolved by administrators."""
