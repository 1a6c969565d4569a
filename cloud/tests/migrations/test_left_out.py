"""Requests leave nothing out at first; the way back splits those that do, so that each day stays as it was."""

from alembic import command
from sqlalchemy import Date, column, select, table, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0040_log_order"
ONE = "01927a0f-0000-7000-8000-00000000c001"
LEAVE = table(
    "vacation_requests", column("start_date", Date), column("end_date", Date), column("start_half"), column("end_half")
)


def test_a_request_that_leaves_days_out_is_split_on_the_way_back(empty: Database) -> None:
    leave_at(empty, BEFORE)
    names = "company_id, id, user_id, kind, start_date, end_date, start_half, end_half, status, created_at"
    values = f"'{ONE}', '{ONE}', '{ONE}', 'vacation', '2026-12-14', '2026-12-23', true, true, 'approved', 1"
    with empty.engine.begin() as connection:
        connection.execute(text(f"INSERT INTO vacation_requests ({names}) VALUES ({values})"))
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert connection.execute(text("SELECT left_out FROM vacation_requests")).scalars().all() == [None]
        left_out = '[["2026-12-14", "2026-12-15"], ["2026-12-18", "2026-12-20"]]'
        connection.execute(text("UPDATE vacation_requests SET left_out = :left_out"), {"left_out": left_out})
        command.downgrade(schema._config(connection), BEFORE)
        rows = connection.execute(select(LEAVE).order_by(LEAVE.c.start_date)).all()
    assert [(f"{first}", f"{last}", bool(start), bool(end)) for first, last, start, end in rows] == [
        ("2026-12-16", "2026-12-17", False, False),
        ("2026-12-21", "2026-12-23", False, True),
    ]
