"""An absence of an older release is judged by its missed duty, if that still exists."""

import uuid

from sqlalchemy import text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

COMPANY, ANNA, BEN = (str(uuid.UUID(int=n)) for n in (0xC, 0xA, 0xB))


def test_open_days_get_the_times_of_the_duty_that_was_missed(empty: Database) -> None:
    leave_at(empty, "0008_area")
    absent = "INSERT INTO absences (company_id, id, report_id, user_id, date, kind, status, created_at) VALUES"
    rostered = "INSERT INTO duties (company_id, id, user_id, date, start_minute, end_minute, created_at) VALUES"
    days = [
        (1, ANNA, "2026-11-20", "missing", "open"),
        (2, ANNA, "2026-11-21", "missing", "excused"),
        (3, ANNA, "2026-11-22", "missing", "open"),
        (4, BEN, "2026-11-20", "sick", "open"),
    ]
    with empty.engine.begin() as connection:
        for n, user, day, kind, status in days:
            row = {"company": COMPANY, "id": str(uuid.UUID(int=n)), "user": user, "day": day}
            told = row | {"kind": kind, "status": status}
            connection.execute(text(f"{absent} (:company, :id, :id, :user, :day, :kind, :status, 0)"), told)
            if n != 3:
                connection.execute(text(f"{rostered} (:company, :id, :user, :day, 1320, 360, 0)"), row)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        found = connection.execute(text("SELECT duty_start, duty_end FROM absences ORDER BY id")).all()
    assert [tuple(row) for row in found] == [(1320, 360), (None, None), (None, None), (None, None)]
