"""Exports, locks and the payroll mapping come with the release that knows them, and go with it."""

import json
import uuid

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0022_taking_back"
BEFORE_MAPPINGS = "0038_rules_from"
TABLES = {"exports", "month_locks", "payroll_mappings"}


def test_tables_of_exports_come_and_go(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert set(inspect(connection).get_table_names()) >= TABLES
        command.downgrade(schema._config(connection), BEFORE)
        assert not TABLES & set(inspect(connection).get_table_names())


def test_a_mapping_loses_what_an_older_release_cannot_read_on_the_way_back(empty: Database) -> None:
    company_id = str(uuid.UUID(int=0xC))
    stored = {
        "adviserNumber": "28547",
        "wageTypes": {"hours": "101"},
        "absenceKeys": {"vacation": "U", "sick": "Ü", "Umzug": None},
        "costCentres": {"Werkstatt": "100", "Büro": "BAU1"},
    }
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        row = {"company_id": company_id, "mapping": json.dumps(stored)}
        columns = "company_id, mapping, changed_at"
        connection.execute(text(f"INSERT INTO payroll_mappings ({columns}) VALUES (:company_id, :mapping, 0)"), row)
        command.downgrade(schema._config(connection), BEFORE_MAPPINGS)
        found = json.loads(connection.execute(text("SELECT mapping FROM payroll_mappings")).scalar_one())
    assert found == stored | {"absenceKeys": {"vacation": "U"}, "costCentres": {"Werkstatt": "100"}}


def test_an_export_of_an_older_release_has_no_mapping_and_stays_when_the_column_goes(empty: Database) -> None:
    leave_at(empty, BEFORE_MAPPINGS)
    company_id, export_id = (str(uuid.UUID(int=number)) for number in (0xC, 0xE))
    export = {"company_id": company_id, "id": export_id, "created_at": 0, "keep_until": "2032-12-31", "draft": False}
    with empty.engine.begin() as connection:
        columns = "company_id, id, month, format, created_at, progress, done, total, draft, keep_until"
        values = ":company_id, :id, '2026-05', 'csv', :created_at, 'done', 1, 1, :draft, :keep_until"
        connection.execute(text(f"INSERT INTO exports ({columns}) VALUES ({values})"), export)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert connection.execute(text("SELECT month, mapping FROM exports")).all() == [("2026-05", None)]
        command.downgrade(schema._config(connection), BEFORE_MAPPINGS)
        assert "mapping" not in {column["name"] for column in inspect(connection).get_columns("exports")}
        assert connection.execute(text("SELECT month FROM exports")).all() == [("2026-05",)]
