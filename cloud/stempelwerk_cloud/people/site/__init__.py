"""The installation as the public pages show it: who operates it, where it is, whether its forms send anything."""
