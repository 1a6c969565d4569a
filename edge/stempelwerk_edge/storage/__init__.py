"""The clock's storage on disk: the journal of stamps, the delivery state, and the clock's other state."""
