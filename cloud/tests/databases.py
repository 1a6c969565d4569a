"""Selects the database of a test: alternating, or according to its claim.

A test with a database runs on one of the two at each commit, and on the other at a release (`make prove`). The test's
name decides, so the choice is stable. Half of each file's tests, and of each parametrised test's cases, run on each.
`docs/decisions/0020-the-gate.md` has the reasons and the exceptions.
"""

from zlib import crc32

import pytest

DATABASES = ("sqlite", "postgresql")

ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""For a test whose claim only PostgreSQL can show, or that needs only one database."""

ON_BOTH = pytest.mark.both
"""For what depends on the database itself: two at once, locks, what is deleted for good, whatever only it asks."""


def is_the_others_turn(item: pytest.Item) -> bool:
    """Whether the test runs on this database only at a release."""
    case = getattr(item, "callspec", None)
    database = case.params.get("database_url") if case is not None else None
    one_alone = any("database_url" in mark.args[0] for mark in item.iter_markers("parametrize"))
    if database is None or one_alone or item.get_closest_marker("both") is not None or "at_once" in item.nodeid:
        return False
    return database != DATABASES[crc32(item.nodeid.replace(database, "").encode()) % 2]
