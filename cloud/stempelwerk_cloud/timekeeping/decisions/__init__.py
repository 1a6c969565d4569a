"""Approved corrections and voids, as facts that derivations read."""
