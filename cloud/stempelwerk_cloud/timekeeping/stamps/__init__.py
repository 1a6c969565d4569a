"""Stamps as facts: received once, placed, held where they cannot be booked, resolved by administrators."""
