"""Logging in with company, username and password."""
