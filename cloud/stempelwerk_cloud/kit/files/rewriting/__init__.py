"""Rewrites a stranger's image or PDF from what it shows, in a process of its own (`child.py`).

Nothing of the file's own bytes is passed on but pixels, fonts and drawing instructions that were read and written anew.
"""
