"""Companies and people as everybody knows them: tables, names, modules, dated settings, who is calling."""
