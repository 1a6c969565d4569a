"""An existing company with a zone unknown to browsers gets the default zone of new companies."""

import json
from datetime import date
from typing import Any

from sqlalchemy import text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

COMPANY = "01927a0f-0000-7000-8000-00000000c001"
SAID: list[tuple[date, str, Any, Any]] = [
    (date.min, "time_zone", "localtime", "Europe/Berlin"),
    (date(2026, 1, 1), "time_zone", "America/New_York", "America/New_York"),
    (date(2026, 2, 1), "time_zone", "Factory", "Europe/Berlin"),
    (date(2026, 3, 1), "time_zone", "CET", "CET"),
    (date.min, "double_tap_seconds", 30, 30),
    (date.min, "holiday_region", None, None),
]


def test_a_zone_that_no_browser_knows_becomes_berlin_and_every_other_setting_stays(empty: Database) -> None:
    leave_at(empty, "0010_inquiries")
    with empty.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO companies (id, name, name_key, is_operator, created_at)"
                f" VALUES ('{COMPANY}', 'Tischlerei Ahorn', 'tischlerei ahorn', false, 0)"
            )
        )
        for day, setting, was, _ in SAID:
            connection.execute(
                text(
                    "INSERT INTO company_settings (company_id, setting, valid_from, value, set_at)"
                    f" VALUES ('{COMPANY}', '{setting}', '{day}', :value, 0)"
                ),
                {"value": json.dumps(was)},
            )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        rows = connection.execute(text("SELECT valid_from, setting, value FROM company_settings")).all()
    found = {(str(day), setting): json.loads(value) for day, setting, value in rows if setting != "rules_from"}
    assert found == {(str(day), setting): becomes for day, setting, _, becomes in SAID}
