"""Stempelwerk: cloud."""
