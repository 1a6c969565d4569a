"""Stempelwerk: tools."""
