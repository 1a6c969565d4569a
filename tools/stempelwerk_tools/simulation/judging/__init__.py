"""The judgement on a simulated world that came to rest."""
