"""Entries and sums, as other rooms read them."""
