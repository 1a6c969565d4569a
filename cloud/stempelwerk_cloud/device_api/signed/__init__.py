"""Who signed a request, and how much who belongs to nobody may send."""
