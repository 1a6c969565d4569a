"""Simulated hardware at the seam of the wire, under the real driver: a tag reader.

Nothing here replaces a part of the clock; each simulator speaks the bytes that the hardware would speak.
"""
