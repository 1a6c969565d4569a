"""Heartbeats: the state of a clock, and the answer to it."""
