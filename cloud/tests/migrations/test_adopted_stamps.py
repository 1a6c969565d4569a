"""The way back leaves no release that gives away more than it did."""

import uuid

from alembic import command
from sqlalchemy import text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0048_operator_log"
COMPANY, PLAIN, UNNAMED = (str(uuid.UUID(int=n)) for n in (0xC, 1, 2))


def test_the_way_back_removes_releases_of_unnamed_stamps_and_leaves_plain_ones(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        company = {"id": COMPANY, "name": "Ahorn", "key": "ahorn", "no": False}
        connection.execute(
            text(
                "INSERT INTO companies (id, name, name_key, is_operator, created_at) VALUES (:id, :name, :key, :no, 0)"
            ),
            company,
        )
        connection.execute(
            text(
                "INSERT INTO releases (company_id, id, device_no, starts_at, ends_at, released_at, unnamed_only)"
                " VALUES (:company, :id, 1, 0, 1, 1, :unnamed)"
            ),
            [{"company": COMPANY, "id": id_, "unnamed": id_ == UNNAMED} for id_ in (PLAIN, UNNAMED)],
        )
        command.downgrade(schema._config(connection), BEFORE)
    with empty.engine.begin() as connection:
        assert [str(uuid.UUID(str(id_))) for (id_,) in connection.execute(text("SELECT id FROM releases"))] == [PLAIN]
    schema.migrate(empty)
