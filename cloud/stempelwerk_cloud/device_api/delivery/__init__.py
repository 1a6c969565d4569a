"""Batches of stamps: merged once, with the device's lease and its lost rows."""
