"""Rebuilds a stranger's image or PDF from what it shows, in a child process (`child.py`).

Only pixels of the file are passed on: an image's own, or those of a document's drawn pages.
"""
