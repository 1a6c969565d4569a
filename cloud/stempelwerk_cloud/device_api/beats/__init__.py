"""Heartbeats: a clock reports its state and receives an answer."""
