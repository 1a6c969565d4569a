"""From stamps and decisions to entries: pairs, shifts, breaks, flags. `derivation.derive` is the way in."""
