"""The placement of a stamp: determining its true time, its company, and its tag."""
