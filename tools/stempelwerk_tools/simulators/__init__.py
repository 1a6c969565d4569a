"""Simulated hardware at the other end of the wire, under the real driver: a tag reader, a scanner, and tags.

Nothing here replaces a part of the clock; each simulator speaks the bytes that the hardware would speak.
"""
