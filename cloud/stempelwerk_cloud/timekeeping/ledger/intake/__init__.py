"""How delivered stamps are taken in."""
