"""The monthly mail comes with the release that knows it, and goes with it."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0023_exports"


def test_nobody_has_set_anything_of_it_and_it_goes_again(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert connection.execute(text("SELECT count(*) FROM export_settings")).scalar_one() == 0
        command.downgrade(schema._config(connection), BEFORE)
        assert not {"export_settings", "export_mails"} & set(inspect(connection).get_table_names())
