"""Release files that can be deleted and those that cannot; releases that a cloud has lost."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.releases import RETENTION, spent, unknown

NOW = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
NAMES = st.sampled_from("abcdef")
AGES = st.integers(0, 90).map(lambda days: NOW - timedelta(days=days))
FILES = st.dictionaries(NAMES, AGES)
USES = st.lists(st.tuples(NAMES, st.none() | AGES))


@given(FILES, USES, st.sets(NAMES), st.integers(0, 90))
def test_what_may_still_be_asked_for_never_goes_and_all_else_does_in_the_end(
    files: dict[str, datetime], uses: list[tuple[str, datetime | None]], named_files: set[str], later: int
) -> None:
    offered = {name for name, withdrawn_at in uses if withdrawn_at is None}
    deletable = spent(files, uses, named_files, NOW)
    assert not deletable & (offered | named_files)
    assert deletable <= files.keys()
    recent = NOW - RETENTION
    assert not any(
        used_at > recent for name, used_at in [*files.items(), *uses] if used_at is not None and name in deletable
    )
    assert deletable <= spent(files, uses, named_files, NOW + timedelta(days=later)), (
        "what goes once would go later, too"
    )
    assert spent(files, uses, named_files, NOW + RETENTION) == files.keys() - offered - named_files
    assert spent(files, [*uses, *((name, None) for name in deletable)], named_files, NOW) == set()


@pytest.mark.parametrize(
    ("running", "expected"),
    [
        ({("stable", "1.6.0"): 3}, {}),
        ({("stable", "1.5.0"): 3}, {}),  # a package's, older than what was ever published
        ({("stable", "1.10.0"): 3}, {("stable", "1.10.0"): 3}),
        ({("stable", "1.7.0rc1"): 3}, {}),  # known in the other channel
        ({("beta", "1.7.0"): 1, ("stable", "1.7.0"): 2}, {("beta", "1.7.0"): 1, ("stable", "1.7.0"): 2}),
        ({("nightly", "9.9"): 1, ("stable", "9; DROP"): 1, ("stable", ""): 1, ("stable", "9" * 99): 1}, {}),
    ],
)
def test_a_version_is_unknown_that_is_newer_than_all_of_its_channel(
    running: dict[tuple[str, str], int], expected: dict[tuple[str, str], int]
) -> None:
    assert unknown([("stable", "1.6.0"), ("stable", "1.4.0"), ("beta", "1.7.0rc1")], running) == expected
