"""Determines the company of a stamp from the device's assignments and releases. Pure; times in milliseconds since
1970.

The true time is determined before (`anchoring.py`), whether the stamp counts afterwards (the derivation of entries).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from stempelwerk_cloud.domain.tags import normalise


class Assignment(NamedTuple):
    """An assignment: the device belongs to the company from `starts_ms` up to `ends_ms`, exclusive; None: it still
    does.
    """

    company_id: str
    starts_ms: int
    ends_ms: int | None


class Release(NamedTuple):
    """A release: the company gets the device's stamps of this period (both ends included) that no assignment claims.

    `unnamed_only`: only stamps that name no assignment. `inherited`: it is the release of a device that this one
    replaces.
    """

    company_id: str
    starts_ms: int
    ends_ms: int
    unnamed_only: bool = False
    inherited: bool = False


class Period(NamedTuple):
    """A period between two instants (ms), both included."""

    first_ms: int
    last_ms: int


def company_by_assignment(
    assignment: str | None, at_ms: int, certain: bool, assignments: Mapping[str, Assignment]
) -> str | None:
    """Returns the company of the assignment that the stamp names, if it is this device's and was in force at that time.

    The period is ignored while the true time is uncertain, because only the company can resolve such a stamp.
    """
    named_assignment = None if assignment is None else assignments.get(assignment)
    if named_assignment is None:
        return None
    within = named_assignment.starts_ms <= at_ms and (
        named_assignment.ends_ms is None or at_ms < named_assignment.ends_ms
    )
    return named_assignment.company_id if within or not certain else None


def release_at(
    assignment: str | None, at_ms: int, releases: Iterable[Release], assignments: Mapping[str, Assignment]
) -> Release | None:
    """Returns the release that gives a stamp without a claiming assignment to a company; None: the stamp stays
    unassigned.

    An `unnamed_only` release precedes others, and the device's own precede inherited ones. Nothing shows which of the
    devices took an unnamed stamp. So inherited releases leave it unassigned if it may be another company's: if they
    name several companies, or one of `assignments` was another company's at that time.
    """
    covering = (release for release in releases if release.starts_ms <= at_ms <= release.ends_ms)
    fitting = [release for release in covering if assignment is None or not release.unnamed_only]
    own_releases = [release for release in fitting if not release.inherited]
    if not own_releases:
        companies = {release.company_id for release in fitting} | {
            other_assignment.company_id
            for other_assignment in assignments.values()
            if other_assignment.starts_ms <= at_ms
            and (other_assignment.ends_ms is None or at_ms < other_assignment.ends_ms)
        }
        return min(fitting, default=None) if len(companies) == 1 else None
    return min(own_releases, key=lambda release: (not release.unnamed_only, release))


def company_by_release(
    assignment: str | None, at_ms: int, releases: Iterable[Release], assignments: Mapping[str, Assignment]
) -> str | None:
    release = release_at(assignment, at_ms, releases, assignments)
    return None if release is None else release.company_id


@lru_cache(maxsize=20_000)
def normalize_tag(tag: str) -> str:
    """Returns the tag in its normal form. A text that cannot be a tag is returned unchanged, and has no holder."""
    try:
        return normalise(tag)
    except ValueError:
        return tag
