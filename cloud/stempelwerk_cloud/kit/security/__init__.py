"""Passwords, codes, secrets, and files that only the service may read."""
