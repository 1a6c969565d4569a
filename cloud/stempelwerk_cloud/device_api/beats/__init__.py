"""Heartbeats: how a clock is, and what it is told."""
