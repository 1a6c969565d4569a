"""What the public pages say of an installation: who operates it, where it is, whether its forms send anything."""
