"""Errors of the calls about a company's end."""

STILL_READ = "Du lädst noch ein Archiv deiner Firma herunter. Warte, bis es da ist, oder brich es ab."
SEVERAL_MADE = "Gerade werden schon mehrere Archive deiner Firma erstellt."
