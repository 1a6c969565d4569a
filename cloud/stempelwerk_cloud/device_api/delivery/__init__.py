"""Delivery of batches of stamps: each is merged once, and the device's lease and missing rows are updated."""
