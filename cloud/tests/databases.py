"""On which of the two databases a test runs: on both by turns, or where its claim says so.

A test that asks for a database runs on one of the two at every change, and on the other at a release (`make prove`):
which is whose, the test's own name says, so it stays. Half of the tests of every file, and of the cases of every
parametrised one, thus run on each. `docs/decisions/0020-the-gate.md` says why, and what both are asked.
"""

from zlib import crc32

import pytest

DATABASES = ("sqlite", "postgresql")

ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""For a test whose claim one of them shows alone, or as well as both: it runs on that one."""

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
