"""Rollouts: a version reaches the clocks of a channel by and by, and is stopped where it does harm."""
