"""The records of a person: returned in full, erased when permitted, and purged after their retention."""
