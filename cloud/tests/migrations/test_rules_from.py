"""An existing company keeps the rules of accounts and leave until the end of the month of its update."""

import json
from datetime import UTC, date, datetime

from alembic import command
from sqlalchemy import text
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0037_answers_mark"
COMPANY = "00000000-0000-4000-8000-0000000000c1"


def test_the_present_rules_begin_with_the_month_after_the_update(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO companies (id, name, name_key, is_operator, created_at)"
                f" VALUES ('{COMPANY}', 'Tischlerei Ahorn', 'tischlerei ahorn', false, 0)"
            )
        )
        connection.execute(
            text(f"INSERT INTO free_days VALUES ('{COMPANY}', '2026-12-24', 'Heiligabend', true)"),
        )
    months = {month_of(datetime.now(UTC).date())[1] + DAY}
    schema.migrate(empty)
    months.add(month_of(datetime.now(UTC).date())[1] + DAY)  # an update at midnight of a month's end
    with empty.engine.begin() as connection:
        ((since, value),) = connection.execute(text("SELECT valid_from, value FROM company_settings")).all()
        legal = connection.execute(text("SELECT legal FROM free_days")).scalar_one()
        command.downgrade(schema._config(connection), BEFORE)
        left = connection.execute(text("SELECT count(*) FROM company_settings")).scalar_one()
    assert str(since) == "0001-01-01"
    assert date.fromisoformat(json.loads(value)) in months
    assert (bool(legal), left) == (False, 0)
