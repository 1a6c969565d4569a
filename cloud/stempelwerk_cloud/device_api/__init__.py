"""The calls of clocks: speaks the wire contract, merges, derives, notifies."""
