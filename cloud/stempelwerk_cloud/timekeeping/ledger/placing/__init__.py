"""How stamps get their true time, company and person."""
