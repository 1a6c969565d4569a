"""Company holidays (Betriebsferien): vacation for all employees on the same days."""
