"""Bodies of the calls about a company's end."""

from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, Wire


class ArchiveRow(Wire):
    """An archive that somebody takes, or took: `done` of `of` people are in it. `sha256` and `bytes` at its end."""

    id: str
    begun_at: InstantField
    begun_by: str | None
    done: int
    of: int
    ended_at: InstantField | None
    sha256: str | None
    bytes: int | None


class ClosingRow(Wire):
    """What closing the company now would mean: all that is kept of it goes after the day `purgeOn`."""

    purge_on: DayField
    archive: ArchiveRow | None


class ClosedRow(Wire):
    """A closed company. `purgeOn`: the last day of what is kept. `tombstone`: once it was purged, the signed paper.

    `lateStamps` have come from its clocks since, and were counted alone.
    """

    id: str
    name: str
    closed_at: InstantField
    purge_on: DayField | None
    purged_at: InstantField | None
    late_stamps: int
    tombstone: str | None
