"""Times as people, administrators and clocks read them: entries, sums, reviews and held stamps."""
