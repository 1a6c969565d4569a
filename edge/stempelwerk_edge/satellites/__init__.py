"""Portable scanners at this clock: their wire, their adoption, and the way of their taps into the journal."""
