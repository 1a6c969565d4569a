"""Stempelwerk: edge."""
