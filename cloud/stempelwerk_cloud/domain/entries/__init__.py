"""The derivation of entries from stamps and decisions: pairs, shifts, breaks, flags. `derivation.derive` is the entry
point.
"""
