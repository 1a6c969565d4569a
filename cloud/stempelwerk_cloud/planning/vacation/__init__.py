"""Vacation and wishes for free days: the policy, requests, and their cost."""
