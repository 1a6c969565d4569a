"""Which absences stand: an open `missing` one is gone as soon as the person has come after all (decision 21).

Stamps know nothing of absences. So whoever looks at open ones asks for the entries around them, and a job removes what
is gone; until it comes by, nobody sees it, and nobody can decide it.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.domain.no_shows import Came, came_to, days_to_look_at
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit.dated import InForce
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import TIME_ZONE
from stempelwerk_cloud.planning.absences.repository import MISSING, OPEN
from stempelwerk_cloud.planning.absences.tables import Absence
from stempelwerk_cloud.timekeeping.entries import service as entries


def standing(session: Session, company_id: str, found: Iterable[Absence]) -> list[Absence]:
    """Those of the absences that stand, in their order."""
    found = list(found)
    gone = _gone(session, company_id, [one for one in found if _may_go(one)])
    return [one for one in found if one.id not in gone]


def stands(session: Session, company_id: str, absence: Absence) -> bool:
    return bool(standing(session, company_id, [absence]))


def _may_go(absence: Absence) -> bool:
    return absence.kind == MISSING and absence.status == OPEN


def _gone(session: Session, company_id: str, doubtful: list[Absence]) -> set[str]:
    """The ids of those on which somebody came after all."""
    if not doubtful:
        return set()
    around = {(one.user_id, day) for one in doubtful for day in days_to_look_at(one.date)}
    came: dict[tuple[str, date], list[Came]] = defaultdict(list)
    # Whether an entry is running does not matter, and so neither does the moment.
    for entry in entries.of_days(session, company_id, around, EPOCH):
        came[entry.user_id, entry.date].append(Came(entry.user_id, entry.date, entry.start, entry.end))
    changes = directory.setting_changes(session, company_id)
    zone_on = lru_cache(lambda day: ZoneInfo(InForce(changes, day)[TIME_ZONE]))
    return {
        one.id
        for one in doubtful
        for day in days_to_look_at(one.date)
        for entry in came[one.user_id, day]
        if came_to(Planned(one.date, one.duty_start, one.duty_end), entry, zone_on(one.date))
    }
