"""What row level security costs a transaction: the service's connection beside the owner's, who is a superuser here.

Both read the same row of a company's table by its key, each time in a transaction of its own, in turns; the owner's
transactions have no scope, and nothing is checked in them.
"""

from __future__ import annotations

import statistics
import uuid
from datetime import UTC, date, datetime

from sqlalchemy import insert, make_url, select
from sqlalchemy.orm import sessionmaker
from stempelwerk_cloud.kit.database import postgres, schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.people.directory.tables import Company, CompanySetting

from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most
from stempelwerk_tools.bench.pairs import in_turns
from stempelwerk_tools.bench.sides.side import Void

_TURNS = 10  # for each slice that is asked for: they are short, so that both ways meet the same neighbours
_SETTINGS = 200  # of each company
_COMPANIES = [str(uuid.UUID(int=number)) for number in range(1, 21)]
_MICRO = 1_000_000
_READ = select(CompanySetting.value).where(
    CompanySetting.company_id == _COMPANIES[7],
    CompanySetting.setting == "s7",
    CompanySetting.valid_from == date(2026, 1, 1),
)


def measure(field: Field, slices: int) -> list[Finding]:
    """The median of the slices' differences. Raises Void if the wall lets through what it must not."""
    url = field.postgres.new_database()
    _fill(url)
    service, plain = Database(url, pool_size=1), postgres.make_engine(make_url(url), 1, as_owner=True)
    sessions = sessionmaker(plain, expire_on_commit=False)

    def walled() -> str | None:
        with service.read(of_company(_COMPANIES[7])) as session:
            return session.scalar(_READ)

    def bare() -> str | None:
        with sessions() as session, session.begin():
            return session.scalar(_READ)

    try:
        with service.read(of_company(_COMPANIES[8])) as session:
            strange = session.scalar(_READ)
        if strange is not None or walled() != bare():
            raise Void("row level security shows what is not the company's, or hides what is")
        times = in_turns(walled, bare, slices * _TURNS)
    finally:
        service.dispose()
        plain.dispose()
    whole = statistics.median(own for own, _ in times)
    cost = statistics.median(own - other for own, other in times)
    field.say(f"a small transaction of the service takes {whole * _MICRO:.0f} µs")
    return [Finding("row level security a transaction", at_most(50, "µs"), cost * _MICRO)]


def _fill(url: str) -> None:
    owner = Database(url, as_owner=True)
    try:
        schema.migrate(owner)
        now = datetime.now(UTC)
        with owner.write(SYSTEM) as session:
            for company in _COMPANIES:
                session.execute(insert(Company).values(id=company, name=company, name_key=company, created_at=now))
                settings = [
                    {
                        "company_id": company,
                        "setting": f"s{n}",
                        "valid_from": date(2026, 1, 1),
                        "value": "1",
                        "set_at": now,
                    }
                    for n in range(_SETTINGS)
                ]
                session.execute(insert(CompanySetting), settings)
    finally:
        owner.dispose()
