"""Bodies of the calls about a company's end."""

from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, Wire


class ArchiveRow(Wire):
    """An archive, finished or not: `done` of `of` people are in it. `sha256` and `bytes` are set at its end."""

    id: str
    begun_at: InstantField
    begun_by: str | None
    done: int
    of: int
    ended_at: InstantField | None
    sha256: str | None
    bytes: int | None


class ClosingRow(Wire):
    """The consequences of closing the company now: all its data are purged after the day `purgeOn`."""

    purge_on: DayField
    archive: ArchiveRow | None


class ClosedRow(Wire):
    """A closed company. `purgeOn`: the last day on which data are kept. `tombstone`: the signed paper, once it was
    purged.

    `lateStamps`: stamps that its clocks sent after the purge; they are only counted.
    """

    id: str
    name: str
    closed_at: InstantField
    purge_on: DayField | None
    purged_at: InstantField | None
    late_stamps: int
    tombstone: str | None
