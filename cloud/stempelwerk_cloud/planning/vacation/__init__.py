"""Vacation and wishes for free days: policy, requests, what they cost."""
