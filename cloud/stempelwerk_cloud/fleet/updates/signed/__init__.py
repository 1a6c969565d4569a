"""Signatures and keys of the repository."""
