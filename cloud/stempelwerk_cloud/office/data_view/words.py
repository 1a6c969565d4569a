"""Errors of reading a company's data."""

STILL_READ = "Du lädst die gespeicherten Daten noch herunter. Warte, bis sie da sind, oder brich ab."
