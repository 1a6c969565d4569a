"""The monthly mail comes with the release that knows it, and goes with it."""

import uuid

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0023_exports"
BEFORE_DECLINES = "0044_service_time"


def test_nobody_has_set_anything_of_it_and_it_goes_again(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert connection.execute(text("SELECT count(*) FROM export_settings")).scalar_one() == 0
        command.downgrade(schema._config(connection), BEFORE)
        assert not {"export_settings", "export_mails"} & set(inspect(connection).get_table_names())


def test_declines_come_beside_mails_that_an_older_release_goes_on_writing_and_go_again(empty: Database) -> None:
    leave_at(empty, BEFORE_DECLINES)
    company_id = str(uuid.UUID(int=0xC))
    columns = "company_id, id, mailing_id, month, at, recipient, delivery, state, draft"
    values = ":company_id, :id, :id, '2026-10', 0, 'buero@holzmann.de', 'file', 'sent', :draft"
    insert = text(f"INSERT INTO export_mails ({columns}) VALUES ({values})")
    with empty.engine.begin() as connection:
        connection.execute(insert, {"company_id": company_id, "id": str(uuid.UUID(int=1)), "draft": False})
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        connection.execute(insert, {"company_id": company_id, "id": str(uuid.UUID(int=2)), "draft": False})
        decline = "INSERT INTO mail_declines (company_id, mailbox, declined_at) VALUES (:company_id, 'a@b.de', 0)"
        connection.execute(text(decline), {"company_id": company_id})
        command.downgrade(schema._config(connection), BEFORE_DECLINES)
        assert "mail_declines" not in inspect(connection).get_table_names()
        assert connection.execute(text("SELECT count(*) FROM export_mails")).scalar_one() == 2
