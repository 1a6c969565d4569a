"""Stamps as facts: received once, placed, held if they cannot be booked, resolved by administrators."""
