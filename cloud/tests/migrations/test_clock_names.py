"""Clocks of an older release, which had one name for all companies: each keeps it where it belongs."""

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from fastapi.testclient import TestClient
from sqlalchemy import Connection, text
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.operations import backup

from cloud.tests.migrations.standing import leave_at
from cloud.tests.world import World


def _id(number: int) -> str:
    return f"01927a0f-0000-7000-8000-{number:012d}"


AHORN, KRUME = _id(1), _id(2)
COMPANIES = [
    {"id": company, "name": name, "name_key": name.lower(), "is_operator": False, "created_at": 0}
    for company, name in ((AHORN, "Ahorn"), (KRUME, "Krume"))
]
DEVICES = [
    {
        "no": number,
        "id": _id(10 + number),
        "keyid": str(number),
        "public_key": {"bytes": "AA=="},
        "claim_code": "47Z33QX1",
        "serial": f"SW-{number}",
        "hardware_id": "hw",
        "mac": "",
        "profile": "core",
        "version": "1",
        "name": name,
        "notes": notes,
        "channel": "stable",
        "identity_conflict": False,
        "enrolled_at": 0,
    }
    for number, name, notes in (
        (1, "Tor", "links"),
        (2, "Lager", "Regal 7"),
        (3, "", ""),
        (4, "Neu", ""),
        (5, "Bank", ""),
    )
]
ASSIGNMENTS = [
    {
        "company_id": company,
        "id": _id(100 + number),
        "device_no": device,
        "starts_at": starts,
        "ends_at": ends,
        "assigned_at": starts,
    }
    for number, (company, device, starts, ends) in enumerate(
        [
            (AHORN, 1, 1000, 2000),
            (KRUME, 1, 2000, None),
            (AHORN, 2, 1000, 2000),
            (KRUME, 3, 1000, None),
            (KRUME, 5, 2000, None),
        ]
    )
]
SAID = {
    (AHORN, 2): ({"name": "", "notes": ""}, {"name": "Safe", "notes": ""}),
    (KRUME, 2): ({"name": "Safe", "notes": ""}, {"name": "Safe", "notes": "links"}),
    (KRUME, 3): ({"name": "Safe", "notes": "links"}, {"name": "Tor", "notes": "links"}),
    (AHORN, 4): ({"name": "", "notes": ""}, {"name": "Bank", "notes": ""}),
}
"""The entries of that company and number that quoted a clock's words."""


def _seal(company: str, no: int, when: str, member: str) -> str:
    return f"{company} {no} {when} {member}"


def _sealed(company: str, no: int) -> dict[str, str | None]:
    """Returns `before` and `after` as stored in the chain."""
    said = SAID.get((company, no))
    if said is None:
        return {"before": None, "after": None}
    return {
        when: json.dumps({member: {"word": _seal(company, no, when, member)} for member in words})
        for when, words in zip(("before", "after"), said, strict=True)
    }


def _clock(company: str, no: int) -> str:
    """Returns the entry's subject: the first clock, except for the first company's former name of the fifth."""
    return _id(15) if (company, no) == (AHORN, 4) else _id(11)


AUDIT = [
    {
        "company_id": company,
        "no": no,
        "id": _id(200 + 10 * no + int(company == KRUME)),
        "at": at,
        "action": action,
        "subject": _clock(company, no),
        **_sealed(company, no),
        "hash": {"bytes": "AA=="},
    }
    for company, no, at, action in (
        (AHORN, 1, 1001, "device.assigned"),
        (AHORN, 2, 1500, "device.changed"),
        (AHORN, 3, 2003, "device.unassigned"),
        (AHORN, 4, 1600, "device.changed"),
        (KRUME, 1, 2003, "device.assigned"),
        (KRUME, 2, 2500, "device.changed"),
        (KRUME, 3, 2600, "device.changed"),
    )
]
WORDS = [
    {
        "company_id": company,
        "id": _seal(company, no, when, member),
        "about": _clock(company, no),
        "salt": "",
        "word": word,
    }
    for (company, no), said in SAID.items()
    for when, words in zip(("before", "after"), said, strict=True)
    for member, word in words.items()
]
ROWS: dict[str, list[dict[str, Any]]] = {
    "companies": COMPANIES,
    "devices": DEVICES,
    "device_leases": [{"device_no": device["no"], "confirmed": 0, "pending": 1, "forked": False} for device in DEVICES],
    "device_assignments": ASSIGNMENTS,
    "audit_entries": AUDIT,
    "audit_words": WORDS,
}


def _insert(connection: Connection) -> None:
    for table, rows in ROWS.items():
        names = ", ".join(rows[0])
        marks = ", ".join(f":{name}" for name in rows[0])
        native = [{name: b"\0" if isinstance(value, dict) else value for name, value in row.items()} for row in rows]
        connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), native)


def _migrated(database: Database, _tmp_path: Path) -> None:
    leave_at(database, "0003_audit")
    with database.engine.begin() as connection:
        _insert(connection)
    schema.migrate(database)


def _restored(database: Database, tmp_path: Path) -> None:
    """Restores a backup of the older release."""
    manifest = {"format": 1, "schema": "0003_audit", "tables": list(ROWS)}
    files = {"manifest.json": json.dumps(manifest)} | {
        f"tables/{table}.jsonl": "".join(json.dumps(row) + "\n" for row in rows) for table, rows in ROWS.items()
    }
    with tarfile.open(tmp_path / "old.tar.gz", "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content.encode())
            archive.addfile(member, io.BytesIO(content.encode()))
    backup.restore(database, tmp_path / "data", tmp_path / "old.tar.gz")


Upgrade = Callable[[Database, Path], None]
WAYS: dict[str, Upgrade] = {"migrated": _migrated, "restored": _restored}


@pytest.fixture(params=WAYS.values(), ids=WAYS.keys())
def upgraded(request: pytest.FixtureRequest, empty: Database, tmp_path: Path) -> Database:
    upgrade: Upgrade = request.param
    upgrade(empty, tmp_path)
    return empty


def _words(database: Database) -> tuple[list[Any], list[Any]]:
    with database.engine.begin() as connection:
        labels = connection.execute(text("SELECT no, label, label_notes FROM devices ORDER BY no")).all()
        assigned = connection.execute(text("SELECT starts_at, name, notes FROM device_assignments ORDER BY id")).all()
    return [tuple(row) for row in labels], [tuple(row) for row in assigned]


def test_the_words_go_to_the_assignment_in_force_and_stay_a_label_without_one(upgraded: Database) -> None:
    labels, assigned = _words(upgraded)
    assert labels == [(1, "", ""), (2, "Lager", "Regal 7"), (3, "", ""), (4, "Neu", ""), (5, "", "")]
    # The last is Ahorn's word for a clock that Krume has now.
    assert assigned == [(1000, "", ""), (2000, "Tor", "links"), (1000, "", ""), (1000, "", ""), (2000, "", "")]


def test_each_list_and_each_log_of_an_older_release_is_read_by_the_new_rule(upgraded: Database, tmp_path: Path) -> None:
    url = upgraded.engine.url.render_as_string(hide_password=False)
    app = create_app(Settings(database_url=url, data_dir=tmp_path / "data", web_dir=tmp_path))
    with TestClient(app) as client:
        world = World(client, app.state.platform)
        boss = world.user(AHORN, "ahorn", "companyAdmin")
        listed = world.founder.get("/api/devices").json()
        theirs = world.founder.get(f"/api/companies/{KRUME}/clocks").json()
        log = boss.get(f"/api/companies/{AHORN}/audit?action=device.").json()
        foreign = world.founder.get(f"/api/companies/{KRUME}/audit?action=device.").json()
    assert [(one["name"], one["companyName"]) for one in listed] == [
        ("Tor", "Krume"),
        ("Lager", None),
        ("", "Krume"),
        ("Neu", None),
        ("", "Krume"),
    ]
    assert [one["name"] for one in theirs] == ["Tor", "", ""]
    assert {entry["subjectName"] for entry in log} == {"SW-1", "SW-5"}
    assert {entry["subjectName"] for entry in foreign} == {"Tor"}
    assert [(entry["before"], entry["after"]) for entry in log if entry["before"]] == [SAID[AHORN, 4], SAID[AHORN, 2]]
    # The other company's words are erased from the log; its own remain.
    assert [(entry["before"], entry["after"]) for entry in reversed(foreign) if entry["before"]] == [
        ({"name": None, "notes": ""}, {"name": None, "notes": "links"}),
        ({"name": None, "notes": "links"}, {"name": "Tor", "notes": "links"}),
    ]


def test_the_way_back_gives_a_clock_the_words_of_its_assignment(empty: Database, tmp_path: Path) -> None:
    _migrated(empty, tmp_path)
    with empty.engine.begin() as connection:
        command.downgrade(schema._config(connection), "0003_audit")
        found = connection.execute(text("SELECT no, name, notes FROM devices ORDER BY no")).all()
    assert [tuple(row) for row in found] == [
        (1, "Tor", "links"),
        (2, "Lager", "Regal 7"),
        (3, "", ""),
        (4, "Neu", ""),
        (5, "", ""),
    ]
