"""Intake of new stamps: each once, however often it is sent."""
