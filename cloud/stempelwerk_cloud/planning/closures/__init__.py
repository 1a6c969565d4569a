"""Company holidays (Betriebsferien): vacation that everybody is given on the same days."""
