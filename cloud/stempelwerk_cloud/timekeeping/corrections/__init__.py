"""Requests for corrections, and what becomes of them; deleting an entry."""
