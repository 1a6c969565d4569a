"""Where a stamp belongs: its true time, its company, its tag."""
