"""Rollouts: a version is brought to the clocks of a channel in stages, and stopped if updated clocks do worse than
others.
"""
