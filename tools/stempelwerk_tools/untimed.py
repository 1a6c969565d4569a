"""Hypothesis for all tests, which import this in their conftest: no example fails for its duration.

Tests check correctness, benchmarks check speed. Under `CI` Hypothesis takes a profile of its own, which draws the same
examples at every run; that stays. `EXAMPLES` is the number of examples for tests that do not set it, and scales the
number that tests set by `examples`: few at every change, more at a release.
"""

import os

from hypothesis import HealthCheck, settings

_DRAWN = int(os.environ.get("EXAMPLES", "100"))


def examples(few: int) -> int:
    """Returns the number of examples for an expensive test, `few` at every change."""
    return few * _DRAWN // 100


settings.register_profile(
    "untimed",
    settings.get_profile(settings.get_current_profile_name()),
    deadline=None,
    max_examples=_DRAWN,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("untimed")
