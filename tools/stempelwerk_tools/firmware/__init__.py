"""What goes onto the portable scanners: compiled modules, a unit's own file, signed images for updates."""
