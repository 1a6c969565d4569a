"""What the clock keeps on its disk: the journal of stamps, what is with the cloud, and what it remembers besides."""
