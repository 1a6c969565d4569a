"""Intake of new stamps: each is stored once, however often it is sent."""
