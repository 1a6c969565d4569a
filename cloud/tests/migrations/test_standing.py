"""An older release's database, peopled, becomes the newest one: nothing in it is lost on the way."""

from sqlalchemy import text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

COMPANY = "01927a0f-0000-7000-8000-00000000c001"


def test_a_company_of_an_older_release_is_there_after_the_migration(empty: Database) -> None:
    leave_at(empty, "0003_audit")
    with empty.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO companies (id, name, name_key, is_operator, created_at)"
                f" VALUES ('{COMPANY}', 'Tischlerei Ahorn', 'tischlerei ahorn', false, 0)"
            )
        )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert connection.execute(text("SELECT name FROM companies")).scalars().all() == ["Tischlerei Ahorn"]
