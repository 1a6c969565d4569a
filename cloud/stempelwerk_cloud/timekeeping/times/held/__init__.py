"""Stamps that wait for an administrator."""
