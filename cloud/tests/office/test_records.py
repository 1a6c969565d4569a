"""A person's records: given in full to the person and to no other person, erased when permitted, purged after their
retention.
"""

import io
import json
import random
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from typing import Any

import anyio
import pytest
from sqlalchemy import func, select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS, KEEPS, metadata
from stempelwerk_cloud.domain.retention import retained_through
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.described import (
    ACCESS,
    COMPANY,
    PERSON,
    PERSONAL,
    NotShown,
    column_description,
    columns_in_file,
    parts,
    table_description,
)
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files import places, store
from stempelwerk_cloud.kit.files.tables import FileContent
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.costs.tables import CompensationValue
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.office.records import erasing
from stempelwerk_cloud.office.records.words import ENTRY_COLUMNS, STAMP_COLUMNS
from stempelwerk_cloud.people.access.tables import AccessLook
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.directory.words import KEYS
from stempelwerk_cloud.people.messages.tables import Message
from stempelwerk_cloud.planning.facts.tables import Absence, BalanceCache, Duty, VacationRequest
from stempelwerk_cloud.planning.hand_overs.tables import HandOver
from stempelwerk_cloud.timekeeping.times.reading.own import OwnStamp
from stempelwerk_cloud.timekeeping.times.reading.values import EntryValue

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.office.people import away, booked, employ, on_leave, set_company, set_weekly, worked
from cloud.tests.planning.plain_files import jpeg
from cloud.tests.room import given, logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, BEN, Site
from cloud.tests.world import Firm, Somebody

pytestmark = ON_BOTH

PAY = CompensationValue.__tablename__
NAMING = re.compile(
    r"^(user_id|person_no|tag_no|tag|from_id|to_id|about|actor|author|subject|session_id|username)$|_by$"
)


# -- every table about people


def test_every_table_that_names_a_person_is_in_the_file_or_says_why_not() -> None:
    naming = {
        table.name for table in metadata().sorted_tables if any(NAMING.search(column.key) for column in table.columns)
    }
    descriptions = {table.name: table_description(table) for table in metadata().sorted_tables}
    no_parts = {name for name, description in descriptions.items() if description.no_part}
    tables = {part.table.name for part in parts()}
    assert tables.isdisjoint(no_parts)
    assert naming == tables | no_parts


def test_every_column_of_the_file_has_its_german_word() -> None:
    read_as_values = {"entries": ENTRY_COLUMNS, "stamps": STAMP_COLUMNS}
    assert [column.name for column in ENTRY_COLUMNS] == list(EntryValue.__struct_fields__)
    assert [column.name for column in STAMP_COLUMNS] == list(OwnStamp._fields)
    assert {column.name for column in (*ENTRY_COLUMNS, *STAMP_COLUMNS) if column.label is None} == {"id", "user_id"}
    for part in parts():
        if part.left_out is None and part.table.name not in read_as_values:
            descriptions = map(column_description, columns_in_file(part.table))
            assert all(description.label or description.is_key for description in descriptions), part.table.name


# -- the data file


def _data(person: Somebody, user_id: str) -> zipfile.ZipFile:
    answer = person.get(f"/api/users/{user_id}/data")
    assert answer.status_code == 200, answer.text
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None
    return archive


def _rows(archive: zipfile.ZipFile, table: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(archive.read(f"daten/{table}.json"))
    return rows


def _filled(site: Site) -> Firm:
    """Fills most tables for Anna, with a sick note."""
    firm = site.firm
    firm.boss, firm.anna, firm.ben = (site.somebody(person) for person in (firm.boss, firm.anna, firm.ben))
    anna = firm.anna
    set_weekly(firm, 2400)
    employ(anna, department="Werkstatt", limits="maternity", pay_type="monthly")
    site.device.deliver(site.device.tap(ANNA, datetime(2026, 11, 20, 6, 2, tzinfo=UTC)), site.device.tap(BEN))
    worked(anna, "2026-11-18", "06:00", "18:00")
    booked(anna, "2026-11-17", 30, "Ausgleich <b>")
    on_leave(anna, "2026-12-07", "2026-12-08")
    away(firm.ben, "2026-11-16")
    platform = firm.world.platform
    with platform.database.write(SYSTEM) as tx:
        file_id = store.store(tx, platform, firm.id, jpeg(), "image/jpeg")
    note = {"file_id": file_id, "noted_at": platform.clock.now(), "decided_by": firm.boss.id}
    given(anna, Absence, date="2026-11-16", kind="sick", status="excused", user_message="Grippe", **note)
    given(anna, AccessLook, at=platform.clock.now(), actor=firm.boss.id, what="times", subject=anna.id)
    given(anna, Duty, date="2026-11-20", start_minute=420)
    given(anna, HandOver, from_id=firm.ben.id, to_id=anna.id, date="2026-11-20", status="accepted")
    given(anna, Message, type="review", title="Hallo", body="…", payload="{}")
    assert anna.get(f"/api/users/{anna.id}/statement?month=2026-11").status_code == 200
    return firm


def test_neither_colleagues_nor_foreigners_nor_system_administrators_get_it(firm: Firm) -> None:
    path = f"/api/users/{firm.anna.id}/data"
    assert firm.ben.get(path).status_code == 403
    assert firm.world.founder.get(path).status_code == 403
    assert firm.world.firm("Andere GmbH").boss.get(path).status_code == 404
    assert logged(firm.world, firm.id, "records.") == []


def test_it_holds_what_is_kept_of_the_person_and_nothing_of_others(site: Site) -> None:
    firm = _filled(site)
    archive = _data(firm.anna, firm.anna.id)
    assert archive.read(next(name for name in archive.namelist() if name.startswith("dateien/"))) == jpeg()
    assert [name for name in archive.namelist() if name.startswith("zeitnachweise/")] != []
    assert [row["user_message"] for row in _rows(archive, "absences")] == ["Grippe"]
    assert _rows(archive, "absences")[0]["decided_by"] == "chefin"
    assert {(row["from_id"], row["to_id"]) for row in _rows(archive, "swap_requests")} == {("ben", "anna")}
    assert [len(_rows(archive, name)) for name in ("stamps", "corrections", "bookings", "duties", "messages")] == [
        1
    ] * 5
    assert len(_rows(archive, "entries")) == 2
    page = archive.read("auskunft.html").decode()
    assert "Ausgleich &lt;b&gt;" in page
    assert "Was hier fehlt, und warum" in page
    assert "<td>Schutzvorschriften</td><td>von Anfang an</td><td>Mutterschutz</td>" in page
    assert "<td>Vergütung</td><td>von Anfang an</td><td>Monatslohn</td>" in page
    everything = "".join(archive.read(name).decode(errors="ignore") for name in archive.namelist())
    with firm.world.platform.database.read(SYSTEM) as tx:
        secret = tx.get_one(User, (firm.id, firm.anna.id)).password_hash
    assert secret not in everything
    assert "access_looks" not in everything
    assert firm.ben.id not in everything


def test_its_boss_gets_it_also_of_who_was_deleted_and_that_stands_in_the_log(firm: Firm) -> None:
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    archive = _data(firm.boss, firm.anna.id)
    assert _rows(archive, "users")[0]["username"] == "anna"
    assert {row["action"] for row in _rows(archive, "audit_entries")} >= {"user.deleted", "records.taken"}
    assert logged(firm.world, firm.id, "records.") == ["records.taken"]


@ON_SQLITE
@pytest.mark.parametrize("with_costs", [True, False])
def test_what_somebody_is_paid_is_in_the_file_for_them_and_for_who_may_see_costs(
    firm: Firm, clock: SettableClock, with_costs: bool
) -> None:
    config = {"userHourlyCents": {firm.anna.id: 1818, firm.ben.id: 1919}, "departmentRates": {"Bau": 2020}}
    assert firm.boss.put(f"/api/companies/{firm.id}/compensation-config", json=config).status_code == 200
    features = ["manage_employees", *(["costs"] if with_costs else [])]
    firm.world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": features})
    of_anna, of_boss = _data(firm.anna, firm.anna.id), _data(firm.boss, firm.anna.id)
    assert [(row["name"], row["value"]) for row in _rows(of_anna, PAY)] == [("hourly", "1818")]
    assert (f"daten/{PAY}.json" in of_boss.namelist()) == with_costs
    assert ("18,18" in of_boss.read("daten/audit_entries.json").decode()) == with_costs
    _leave(firm.anna, clock.now())
    assert _erase(firm.boss, firm.anna.id).status_code == 200
    assert "18,18" not in _data(firm.boss, firm.anna.id).read("daten/audit_entries.json").decode()
    assert _count_rows(firm.world.platform, firm.anna)[PAY] == 1
    clock.set(datetime(2029, 1, 1, 12, tzinfo=UTC))
    erasing.finish(firm.world.platform)
    assert PAY not in _count_rows(firm.world.platform, firm.anna)
    assert _count_rows(firm.world.platform, firm.ben)[PAY] == 1


def test_what_somebody_decided_about_others_is_told_without_them(firm: Firm) -> None:
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": "annemarie"}).status_code == 200
    (deed,) = _rows(_data(firm.boss, firm.boss.id), "audit_entries")[:1]
    assert (deed["action"], deed["before"], deed["after"]) == ("user.changed", None, None)
    (entry,) = _rows(_data(firm.anna, firm.anna.id), "audit_entries")[:1]
    assert (entry["before"], entry["after"]) == ({"username": "anna"}, {"username": "annemarie"})


def test_every_part_names_who_reads_it_and_the_data_view_shows_no_more() -> None:
    """The company's data view leaves out the same tables."""
    assert {part.reader for part in parts()} <= {PERSON, COMPANY, *KEYS}
    readers = {part.table.name: part.reader for part in parts()}
    views = {table.name: table_description(table).view for table in metadata().sorted_tables}
    assert all(isinstance(views[name], NotShown) for name, reader in readers.items() if reader == PERSON)
    personal = {name for name, view in views.items() if view in {ACCESS, PERSONAL}}
    assert {readers[name] for name in personal & readers.keys()} == {PERSON}


@ON_SQLITE
@pytest.mark.parametrize("off", ["", *sorted({part.reader for part in parts()} & set(KEYS))])
def test_an_administrator_gets_no_part_of_a_switched_off_module_and_the_person_gets_all(site: Site, off: str) -> None:
    firm = _filled(site)
    with firm.world.platform.database.write(SYSTEM) as tx:
        leave = {"leave_halves": 4, "leave_ill": 2, "leave_parents": 0}
        tx.add(BalanceCache(company_id=firm.id, user_id=firm.anna.id, first=date(2026, 1, 1), minutes=0, **leave))
    features = {"featureIds": [key for key in KEYS if key != off]}
    assert site.founder.put(f"/api/companies/{firm.id}/features", json=features).status_code == 200
    filed = [part for part in parts() if part.left_out is None]
    of_anna, of_boss = _data(firm.anna, firm.anna.id), _data(firm.boss, firm.anna.id)
    tables = {part.table.name for part in filed if part.reader not in {PERSON, off}}
    assert {name for part in filed if (name := f"daten/{part.table.name}.json") in of_boss.namelist()} == {
        f"daten/{name}.json" for name in tables
    }
    assert {f"daten/{part.table.name}.json" for part in filed} <= set(of_anna.namelist())
    for archive, has_notes in ((of_anna, True), (of_boss, off != "absences")):
        assert any(name.startswith("dateien/krankmeldung") for name in archive.namelist()) == has_notes
        assert any(name.startswith("zeitnachweise/") for name in archive.namelist())
    for archive, has_leave in ((of_anna, True), (of_boss, off != "absences")):
        balances = json.loads(archive.read("daten/kept_balances.json"))
        assert balances
        assert [("leave_ill" in row) == has_leave == ("leave_parents_back" in row) for row in balances] == [True] * len(
            balances
        )
    page = of_boss.read("auskunft.html").decode()
    assert "<li>Sitzungen: gehört der Person allein.</li>" in page
    assert ("ausgeschaltet ist" in page) == any(part.reader == off for part in filed)
    assert "ausgeschaltet ist" not in of_anna.read("auskunft.html").decode()


@ON_BOTH
def test_a_note_in_an_administrators_file_leaves_the_line_that_reading_it_leaves(site: Site) -> None:
    firm = _filled(site)
    (absence,) = firm.anna.get(f"/api/users/{firm.anna.id}/absences").json()
    assert firm.boss.get(absence["sickNotePath"]).status_code == 200
    _data(firm.boss, firm.anna.id)
    site.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": []})
    _data(firm.boss, firm.anna.id)
    with firm.world.platform.database.read(SYSTEM) as tx:
        read = select(AuditEntry).where(AuditEntry.action == "absence.note_read").order_by(AuditEntry.no)
        lines = [(entry.actor, entry.subject, entry.after) for entry in tx.scalars(read)]
    assert len(lines) == 2
    assert len(set(lines)) == 1
    assert _chain(firm.world.platform) is None


def test_whoever_still_reads_one_waits_with_the_next_and_nobody_else(
    firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform, path = firm.world.platform, f"/api/users/{firm.anna.id}/data"
    monkeypatch.setattr(places, "PATIENCE_S", 0)
    with anyio.run(places.take_own, platform, firm.anna.id, "data", "."):
        answer = firm.anna.get(path)
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
        assert answer.json()["message"].startswith("Du lädst noch eine Auskunft herunter.")
        assert firm.boss.get(path).status_code == 200
        assert firm.ben.get(f"/api/users/{firm.ben.id}/data").status_code == 200
    for _ in range(2):
        assert firm.anna.get(path).status_code == 200


# -- erasing


def _erase(caller: Somebody, user_id: str) -> Any:
    return caller.post(f"/api/users/{user_id}/erasure", json={"comment": "Auf Wunsch von Anna."})


def _leave(person: Somebody, instant: datetime) -> None:
    with person.world.platform.database.write(SYSTEM) as tx:
        tx.get_one(User, (person.company_id, person.id)).leaves_at = instant


def _chain(platform: Platform) -> str | None:
    with platform.database.read(SYSTEM) as session:
        return audit.verify(session).broken


def test_nothing_goes_of_who_is_employed_or_elsewhere(firm: Firm, clock: SettableClock) -> None:
    answer = _erase(firm.boss, firm.anna.id)
    assert (answer.status_code, answer.json()["code"]) == (409, "still_employed")
    _leave(firm.anna, clock.now() + timedelta(days=1))
    assert _erase(firm.boss, firm.anna.id).status_code == 409
    assert _erase(firm.world.firm("Andere GmbH").boss, firm.anna.id).status_code == 404
    assert firm.boss.post(f"/api/users/{firm.anna.id}/erasure", json={"comment": ""}).status_code == 422


def test_what_may_go_goes_and_times_stay_until_their_year_is_over(site: Site, clock: SettableClock) -> None:
    firm = _filled(site)
    account = f"/api/users/{firm.ben.id}/account?month=2026-11"
    initial = firm.ben.get(account).json()
    for month in ("2026-11", "2020-01"):
        given(firm.boss, Export, month=month, format="csv", progress="done", keep_until="2032-12-31")
    _leave(firm.anna, clock.now())
    answer = _erase(firm.boss, firm.anna.id)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert {"Dienste", "Übergabeanfragen", "Nachrichten", "Sitzungen"} <= {row["what"] for row in body["erased"]}
    kept_rows = {row["what"]: (row["count"], row["until"]) for row in body["kept"]}
    assert kept_rows["Zeiteinträge"] == (2, "2028-12-31")
    assert kept_rows["Benutzername"] == (1, "2028-12-31")
    assert kept_rows["Exporte"] == (1, "2032-12-31")
    assert kept_rows["Änderungsprotokoll"][1] is None
    assert all(row["why"] for row in body["kept"])
    assert firm.ben.get(account).json() == initial
    archive = _data(firm.boss, firm.anna.id)
    assert (len(_rows(archive, "entries")), _rows(archive, "duties")) == (2, [])
    assert "maternity" not in archive.read("daten/audit_entries.json").decode()
    assert logged(firm.world, firm.id, "records.erased") == ["records.erased"]
    assert _chain(firm.world.platform) is None


@ON_BOTH
def test_words_and_notes_of_absences_go_at_once_and_their_days_stay(firm: Firm, clock: SettableClock) -> None:
    platform = firm.world.platform
    set_weekly(firm, 2400)
    values = {"user_message": "Grippe", "comment": "Gute Besserung", "decided_by": firm.boss.id, "status": "excused"}
    for person, day in ((firm.anna, "2026-11-16"), (firm.ben, "2026-11-16")):
        with platform.database.write(SYSTEM) as tx:
            file_id = store.store(tx, platform, firm.id, jpeg(), "image/jpeg")
        given(person, Absence, date=day, kind="sick", file_id=file_id, noted_at=clock.now(), **values)
    for day, reason in (("2026-11-17", "Beerdigung des Vaters"), ("2026-11-18", "Elternzeit"), ("2026-11-19", None)):
        kind = "missing" if reason is None else "special"
        given(firm.anna, Absence, date=day, kind=kind, status="excused", reason=reason, credited=reason != "Elternzeit")
    worked(firm.anna, "2026-11-13", "06:00", "14:00")
    account = f"/api/users/{firm.anna.id}/account?month=2026-11"
    credited = firm.boss.get(account).json()["credits"]
    _leave(firm.anna, clock.now())
    erased = {row["what"]: row["count"] for row in _erase(firm.boss, firm.anna.id).json()["erased"]}
    assert erased["Eigene Worte und Nachweise"] == 4
    archive = _data(firm.boss, firm.anna.id)
    rows = {row["date"]: row for row in _rows(archive, "absences")}
    assert [rows[day]["reason"] for day in sorted(rows)] == [None, None, "Elternzeit", None]
    assert all(row["user_message"] is None and row["comment"] is None for row in rows.values())
    assert rows["2026-11-16"]["noted_at"] is not None
    assert not any(name.startswith("dateien/") for name in archive.namelist())
    assert firm.boss.get(account).json()["credits"] == credited
    second_erasure = {row["what"] for row in _erase(firm.boss, firm.anna.id).json()["erased"]}
    assert "Eigene Worte und Nachweise" not in second_erasure
    (colleague,) = _rows(_data(firm.ben, firm.ben.id), "absences")
    assert (colleague["user_message"], colleague["comment"]) == ("Grippe", "Gute Besserung")
    with platform.database.read(SYSTEM) as session:
        assert session.scalar(select(func.count()).select_from(FileContent)) == 1


def test_of_two_who_erase_at_once_one_finds_nothing_left(firm: Firm, clock: SettableClock) -> None:
    given(firm.anna, Duty, date="2026-11-20")
    worked(firm.anna, "2026-11-18", "06:00", "14:00")
    _leave(firm.anna, clock.now())
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: _erase(firm.boss, firm.anna.id), range(2)))
    assert [answer.status_code for answer in answers] == [200, 200]
    duties = [row["count"] for answer in answers for row in answer.json()["erased"] if row["what"] == "Dienste"]
    assert duties == [1]
    assert _chain(firm.world.platform) is None


def test_once_times_may_go_nothing_is_left_but_a_number(site: Site, clock: SettableClock) -> None:
    firm = _filled(site)
    _leave(firm.anna, clock.now())
    clock.set(datetime(2028, 12, 31, 12, tzinfo=UTC))
    erasing.finish(firm.world.platform)
    assert _count_rows(firm.world.platform, firm.anna) != {}
    clock.set(datetime(2029, 1, 1, 12, tzinfo=UTC))
    erasing.finish(firm.world.platform)
    erasing.finish(firm.world.platform)
    assert _count_rows(firm.world.platform, firm.anna) == {}
    assert logged(firm.world, firm.id, "records.erased") == ["records.erased"]
    firm.boss = firm.world.again(firm.boss)
    (row,) = _rows(_data(firm.boss, firm.anna.id), "users")
    assert row["username"] == f"Gelöscht {firm.anna.id[-8:]}"
    assert _count_rows(firm.world.platform, firm.ben) != {}
    assert _chain(firm.world.platform) is None


def test_a_company_may_keep_times_longer(firm: Firm, clock: SettableClock) -> None:
    set_company(firm, "times_years", "6")
    worked(firm.anna, "2026-11-18", "06:00", "18:00")
    _leave(firm.anna, clock.now())
    kept_until = {row["what"]: row["until"] for row in _erase(firm.boss, firm.anna.id).json()["kept"]}
    assert kept_until["Zeiteinträge"] == "2032-12-31"


def test_a_deleted_person_has_no_password_left(firm: Firm) -> None:
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    with firm.world.platform.database.read(SYSTEM) as tx:
        assert tx.get_one(User, (firm.id, firm.anna.id)).password_hash == ""


def _count_rows(platform: Platform, person: Somebody) -> dict[str, int]:
    """Counts the rows of each table that are still about that person, except tables that stay."""
    with platform.database.read(SYSTEM) as tx:
        counts = {
            part.table.name: len(tx.execute(select(part.table).where(part.rows(person.company_id, person.id))).all())
            for part in parts()
            if part.fate != "stays"
        }
    return {name: count for name, count in counts.items() if count}


# -- a decade

_DATED: dict[type[Base], tuple[str, dict[str, Any]]] = {
    HandOver: ("date", {"status": "declined"}),
    Absence: ("date", {"kind": "sick", "status": "declined"}),
    VacationRequest: ("end_date", {"kind": "wish", "status": "approved"}),
    Message: ("created_at", {"type": "review", "title": "", "body": "", "payload": "{}"}),
    AccessLook: ("at", {"what": "times"}),
}


@ON_SQLITE
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.prove) for seed in (1, 2))])
def test_in_a_decade_nothing_goes_too_early_and_nothing_stays_too_long(
    seed: int, firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    rng, account_from = random.Random(seed), date(2026, 12, 1)
    keeps = {keep.table: keep for keep in KEEPS}
    rounds = [job for job in JOBS if job.name.startswith("purge_") or job.name == "finish_erasures"]
    ids: dict[type[Base], dict[str, date]] = {table: {} for table in _DATED}
    leavers = [firm.world.user(firm.id, f"p{number}") for number in range(4)]
    last_days = {leaver.id: account_from + timedelta(days=rng.randrange(2500)) for leaver in leavers}
    for leaver in leavers:
        worked(leaver, "2026-11-18", "06:00", "14:00")
        _leave(leaver, datetime.combine(last_days[leaver.id], datetime.min.time(), UTC))
    for month in range(0, 120, 4):
        today = account_from + timedelta(days=month * 30)
        clock.set(datetime.combine(today, datetime.min.time(), UTC) + timedelta(hours=12))
        for table, (column, values) in _DATED.items():
            day = today - timedelta(days=rng.randrange(30))
            instant: Any = day if column.endswith("date") else datetime.combine(day, datetime.min.time(), UTC)
            row = {column: instant, "start_date": day, "date": day, "from_id": firm.ben.id, "to_id": firm.ben.id}
            references = {"actor": firm.boss.id, "duty_id": platform.ids.new(), "report_id": platform.ids.new()}
            ids[table][given(firm.ben, table, **row, **references, **values)] = instant
        for job in rounds:
            jobs.run_once(platform, job)
        with platform.database.read(SYSTEM) as tx:
            for table, existing in ids.items():
                row_ids = set(tx.scalars(select(table.__table__.c.id)))
                assert row_ids & existing.keys() == {
                    row_id for row_id, instant in existing.items() if instant > keeps[table].cutoff(clock.now())
                }
            for leaver in leavers:
                over = (
                    clock.now().date() > retained_through([last_days[leaver.id]], 2) and last_days[leaver.id] <= today
                )
                assert (tx.get_one(User, (firm.id, leaver.id)).erased_at is not None) == over
    assert _chain(platform) is None
    with platform.database.read(SYSTEM) as tx:
        purged = tx.scalars(select(AuditEntry.after).where(AuditEntry.action == "records.purged")).all()
    purged_tables = {json.loads(row or "")["table"] for row in purged}
    assert purged_tables == {"swap_requests", "absences", "vacation_requests", "entries"}
