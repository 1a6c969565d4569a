"""The machine below: its clocks and the true time, its hardware, loops that go on, its disk."""
