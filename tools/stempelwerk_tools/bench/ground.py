"""The ground of a figure: the kind of its database and the number of rows in it.

`python -m stempelwerk_tools.bench.ground <database URL>` prints it.
"""

from __future__ import annotations

import statistics
import sys
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session
from stempelwerk_cloud.fleet.devices.tables import Device
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN, USER
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.timekeeping.ledger.tables import Stamp, TimeEntry

from stempelwerk_tools.bench import history
from stempelwerk_tools.bench.crowd import Size
from stempelwerk_tools.bench.sides.side import Void

_NAMES = {"postgresql": "PostgreSQL", "sqlite": "SQLite"}
_STAMPED = 0.8
"""Share of a size's stamps that must be stored. Some people are on leave or forget to stamp, and days are rounded."""
_PEOPLE = User.role.in_((USER, COMPANY_ADMIN))


class Ground(NamedTuple):
    """Counts of rows. `years`: past calendar years with the usual number of entries in the company with most entries,
    and with leave and illness of each of its people.
    """

    database: str
    companies: int
    people: int
    clocks: int
    years: int
    entries: int
    stamps: int

    def __str__(self) -> str:
        names = ("company", "companies"), ("person", "people"), ("clock", "clocks"), ("year", "years")
        counts = [
            f"{count:,} {singular if count == 1 else plural}"
            for count, (singular, plural) in zip(self[1:5], names, strict=True)
        ]
        parts = [*counts, f"{self.entries:,} entries", f"{self.stamps:,} stamps"]
        return f"{self.database}: {', '.join(part for part in parts if not part.startswith('0 '))}"


def count_rows(url: str) -> Ground:
    """Counts what is stored in a database."""
    database = Database(url, pool_size=2)
    try:
        with database.read(SYSTEM) as session:
            return Ground(
                _NAMES[database.dialect],
                companies=_count(session, select(func.count(User.company_id.distinct())).where(_PEOPLE)),
                people=_count(session, select(func.count()).select_from(User).where(_PEOPLE)),
                clocks=_count(session, select(func.count()).select_from(Device)),
                years=_years(session),
                entries=_count(session, select(func.count()).select_from(TimeEntry)),
                stamps=_count(session, select(func.count()).select_from(Stamp)),
            )
    finally:
        database.dispose()


def check(ground: Ground, size: Size) -> None:
    """Raises Void unless the counts are those of an installation of this size."""
    expected = {"companies": size.companies, "people": size.people, "clocks": size.clocks, "years": size.years}
    counts = {name: getattr(ground, name) for name in expected}
    if counts != expected or ground.stamps < size.stamps * _STAMPED or not ground.entries:
        raise Void(f"{size} was to be measured, and this is there: {ground}")


def _count(session: Session, counting: Select[int]) -> int:
    return session.scalar(counting) or 0


def _years(session: Session) -> int:
    entries = select(TimeEntry.company_id, func.min(TimeEntry.date)).group_by(TimeEntry.company_id)
    largest = session.execute(entries.order_by(func.count().desc()).limit(1)).first()
    if largest is None:
        return 0
    company_id, first = largest
    last = datetime.now(UTC).year
    by_year = history.by_year(session, company_id, first.year, last)
    usual = statistics.median(by_year.values())
    away = history.people_away_by_year(session, company_id, first.year, last)
    people = _count(session, select(func.count()).select_from(User).where(_PEOPLE, User.company_id == company_id))
    return sum(count >= usual / 2 and away[year] >= people for year, count in by_year.items() if year < last)


if __name__ == "__main__":
    print(count_rows(sys.argv[1]))
