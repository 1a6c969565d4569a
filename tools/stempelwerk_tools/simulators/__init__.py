"""Hardware that is not there: a tag reader behind its real driver, on the seam where the wire would be.

Nothing here replaces a part of the clock; each simulator speaks the bytes that the hardware would speak.
"""
