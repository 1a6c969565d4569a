"""The content of a portable scanner: compiled modules, a unit's own file, signed images for updates."""
