"""The place of a stamp: its true time, its company, its tag."""
