"""Company holidays and notices come with the release that knows them, and go with it; leave stays."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0022_taking_back"
ONE = "01927a0f-0000-7000-8000-00000000c001"


def test_closures_and_notices_come_empty_and_go_again_and_leave_stays(empty: Database) -> None:
    leave_at(empty, BEFORE)
    columns = "company_id, id, user_id, kind, start_date, end_date, start_half, end_half, status, created_at"
    values = f"'{ONE}', '{ONE}', '{ONE}', 'vacation', '2026-12-01', '2026-12-02', false, false, 'approved', 1"
    with empty.engine.begin() as connection:
        connection.execute(text(f"INSERT INTO vacation_requests ({columns}) VALUES ({values})"))
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert connection.execute(text("SELECT closure_id FROM vacation_requests")).scalars().all() == [None]
        for table in ("closures", "vacation_notices"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 0
        command.downgrade(schema._config(connection), BEFORE)
        assert not {"closures", "vacation_notices", "told_duties"} & set(inspect(connection).get_table_names())
        assert connection.execute(text("SELECT status FROM vacation_requests")).scalars().all() == ["approved"]
