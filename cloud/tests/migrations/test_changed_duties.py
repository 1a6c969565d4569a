"""A duty from an older release counts as changed when it was created."""

import uuid

from sqlalchemy import text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

COMPANY, ANNA = (str(uuid.UUID(int=n)) for n in (0xC, 0xA))


def test_a_duty_was_changed_last_when_it_was_made(empty: Database) -> None:
    leave_at(empty, "0011_zones")
    rostered = "INSERT INTO duties (company_id, id, user_id, date, start_minute, created_at) VALUES"
    with empty.engine.begin() as connection:
        for n in (1, 2):
            told = {
                "company": COMPANY,
                "id": str(uuid.UUID(int=n)),
                "user": ANNA,
                "day": f"2026-11-2{n}",
                "at": n * 1000,
            }
            connection.execute(text(f"{rostered} (:company, :id, :user, :day, 480, :at)"), told)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        found = connection.execute(text("SELECT changed_at, created_at, start_minute FROM duties ORDER BY id")).all()
    assert [tuple(row) for row in found] == [(1000, 1000, 480), (2000, 2000, 480)]
