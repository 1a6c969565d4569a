"""The one door for clocks: speaks the wire contract, merges, derives, notifies."""
