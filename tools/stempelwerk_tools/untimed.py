"""Hypothesis for all tests, which import this in their conftest: no example fails for its duration.

Tests say what is right, benchmarks how fast.
Where `CI` is set Hypothesis takes a profile of its own, which draws the same examples at every run; that stays.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "untimed",
    settings.get_profile(settings.get_current_profile_name()),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("untimed")
