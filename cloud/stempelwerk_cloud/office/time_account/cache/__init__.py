"""Cached balances, and their refresh."""
