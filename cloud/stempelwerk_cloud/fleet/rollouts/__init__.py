"""Rollouts: a version reaches the clocks of a channel in stages, and is stopped where it does harm."""
