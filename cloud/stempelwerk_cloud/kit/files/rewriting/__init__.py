"""Makes a stranger's image or PDF anew from what it shows, in a process of its own (`child.py`).

Nothing of the file is passed on but pixels: an image's own, or those of a document's drawn pages.
"""
