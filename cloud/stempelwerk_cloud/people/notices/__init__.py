"""Notices outside the inbox: web push and mail."""
