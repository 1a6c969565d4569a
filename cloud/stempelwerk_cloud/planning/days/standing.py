"""Which absences stand: an open `missing` one is gone as soon as the person has come after all (decision 17).

Stamps know nothing of absences. So whoever looks at open ones asks for the entries around them, and a job removes what
is gone; until it comes by, nobody sees it, and nobody can decide it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Protocol, TypeVar

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.domain.no_shows import Came, came_to, days_to_look_at
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.timekeeping.entries import service as entries


class AbsenceLike(Protocol):
    """As much of an absence as says whether it stands."""

    @property
    def id(self) -> str: ...
    @property
    def user_id(self) -> str: ...
    @property
    def date(self) -> date: ...
    @property
    def kind(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def duty_start(self) -> int | None: ...
    @property
    def duty_end(self) -> int | None: ...


One = TypeVar("One", bound=AbsenceLike)


def standing(
    session: Session, company_id: str, found: Iterable[One], changes: Sequence[Change] | None = None
) -> list[One]:
    """Those of the absences that stand, in their order. `changes`: the company's settings, if they have been read."""
    found = list(found)
    doubtful = [one for one in found if one.kind == "missing" and one.status == "open"]
    gone = _gone(session, company_id, doubtful, changes) if doubtful else set()
    return [one for one in found if one.id not in gone]


def _gone(
    session: Session, company_id: str, doubtful: Sequence[AbsenceLike], changes: Sequence[Change] | None
) -> set[str]:
    """The ids of those on which somebody came after all."""
    around = {(one.user_id, day) for one in doubtful for day in days_to_look_at(one.date)}
    came: dict[tuple[str, date], list[Came]] = defaultdict(list)
    # Whether an entry is running does not matter, and so neither does the moment.
    for entry in entries.of_days(session, company_id, around, EPOCH):
        came[entry.user_id, entry.date].append(Came(entry.user_id, entry.date, entry.start, entry.end))
    zone_on = directory.zones(directory.setting_changes(session, company_id) if changes is None else changes)
    return {
        one.id
        for one in doubtful
        for day in days_to_look_at(one.date)
        for entry in came[one.user_id, day]
        if came_to(Planned(one.date, one.duty_start, one.duty_end), entry, zone_on(one.date))
    }
