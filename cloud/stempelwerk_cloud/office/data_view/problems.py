"""What reading a company's data refuses."""

STILL_READ = "Du lädst die gespeicherten Daten noch herunter. Warte, bis sie da sind, oder brich ab."
