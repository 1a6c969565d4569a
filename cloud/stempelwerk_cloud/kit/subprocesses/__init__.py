"""Child processes of the service: everything that draws, packs or parses, with limits of memory and time."""
