"""Packs files in a process of its own: compression and formatting would keep the interpreter's lock."""
