"""What clocks call: speaks the wire contract, merges, derives, notifies."""
