"""Changes of a clock: assignment, channel, withdrawal."""
