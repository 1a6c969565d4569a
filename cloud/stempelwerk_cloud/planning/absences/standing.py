"""Which absences stand: an open `missing` one is gone as soon as there is an entry of that day (decision 21).

Stamps know nothing of absences. So whoever looks at open ones asks for the days' entries, and a job removes what is
gone; until it comes by, nobody sees it, and nobody can decide it.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.planning.absences.repository import MISSING, OPEN
from stempelwerk_cloud.planning.absences.tables import Absence
from stempelwerk_cloud.timekeeping.entries import service as entries


def standing(session: Session, company_id: str, found: Iterable[Absence]) -> list[Absence]:
    """Those of the absences that stand, in their order."""
    found = list(found)
    come = _come(session, company_id, [one for one in found if _may_go(one)])
    return [one for one in found if not _may_go(one) or (one.user_id, one.date) not in come]


def stands(session: Session, company_id: str, absence: Absence) -> bool:
    return bool(standing(session, company_id, [absence]))


def _may_go(absence: Absence) -> bool:
    return absence.kind == MISSING and absence.status == OPEN


def _come(session: Session, company_id: str, doubtful: Iterable[Absence]) -> set[tuple[str, date]]:
    """(person, day) on which somebody came after all."""
    days: dict[str, list[date]] = defaultdict(list)
    for one in doubtful:
        days[one.user_id].append(one.date)
    return {
        (user_id, entry.date)
        for user_id, wanted in days.items()
        # Whether an entry is running does not matter, and so neither does the moment.
        for entry in entries.of_person(session, company_id, user_id, min(wanted), max(wanted), EPOCH)
    }
