"""Finds, the night after, who had a duty and did not come."""
