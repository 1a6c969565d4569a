"""The API for clocks: reads and writes the messages of the contract, and merges stamps into time entries."""
