"""Vacation and wishes for free days: the policy, requests, and their cost."""

PUBLISHED = ("accounts.balances", "accounts.carrying", "accounts.policy", "queries", "requests.asking", "service")
