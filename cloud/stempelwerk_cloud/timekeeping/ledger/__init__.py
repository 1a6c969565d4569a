"""Stamps, decisions and the entries derived from them: stored, placed and derived, and nothing else."""

PUBLISHED = (
    "decisions",
    "deriving.deciding",
    "deriving.derivation",
    "deriving.derivation_inputs",
    "deriving.queries",
    "deriving.rows",
    "deriving.surroundings",
    "intake.intake",
    "intake.quarantine",
    "intake.queries",
    "placing.facts",
    "placing.ownership",
    "placing.placement",
    "placing.reprocessing",
    "placing.taps",
    "purged",
    "settings",
    "tables",
)
