"""The demo: all programs on one machine, with a plausible company."""
