"""Absences in force: an open missed duty is no longer in force once its employee turns out to have come (decision 17).

Stamps do not know of absences. So readers of open absences check the entries around them, and a job removes those that
are no longer in force. Until it runs, they are neither shown nor decided.
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
from stempelwerk_cloud.people.directory.companies import setting_changes, zones
from stempelwerk_cloud.timekeeping.times.reading.values import of_days


class AbsenceLike(Protocol):
    """The attributes of an absence that determine whether it is in force."""

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


def filter_in_force(
    session: Session, company_id: str, absences: Iterable[One], changes: Sequence[Change] | None = None
) -> list[One]:
    """Returns those of these absences that are in force, in their order. `changes`: the company's settings, if already
    read.
    """
    absences = list(absences)
    doubtful = [absence for absence in absences if absence.kind == "missing" and absence.status == "open"]
    gone_ids = _gone_ids(session, company_id, doubtful, changes) if doubtful else set()
    return [absence for absence in absences if absence.id not in gone_ids]


def _gone_ids(
    session: Session, company_id: str, doubtful: Sequence[AbsenceLike], changes: Sequence[Change] | None
) -> set[str]:
    """Returns the ids of those of these missed duties whose employee came."""
    around = {(absence.user_id, day) for absence in doubtful for day in days_to_look_at(absence.date)}
    came: dict[tuple[str, date], list[Came]] = defaultdict(list)
    # The moment does not matter, because running entries count like others.
    for entry in of_days(session, company_id, around, EPOCH):
        came[entry.user_id, entry.date].append(Came(entry.user_id, entry.date, entry.start, entry.end))
    zone_on = zones(setting_changes(session, company_id) if changes is None else changes)
    return {
        absence.id
        for absence in doubtful
        for day in days_to_look_at(absence.date)
        for entry in came[absence.user_id, day]
        if came_to(Planned(absence.date, absence.duty_start, absence.duty_end), entry, zone_on(absence.date))
    }
