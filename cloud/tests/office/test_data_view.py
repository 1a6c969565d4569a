"""A company's stored data: all of it that is the company's to see, nothing that opens anything, and little memory."""

import asyncio
import json
import re
import tracemalloc
import uuid
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from stempelwerk_cloud.app import metadata
from stempelwerk_cloud.kit.database.columns import table_of
from stempelwerk_cloud.kit.database.described import (
    NotShown,
    Shown,
    column_description,
    columns_in_view,
    columns_with,
    table_description,
)
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.costs.tables import CompensationValue
from stempelwerk_cloud.office.data_view import service
from stempelwerk_cloud.people.access.tables import AccessLook
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN, Caller
from stempelwerk_cloud.planning.facts.tables import Duty, FreeDay

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.kit.filling import fill
from cloud.tests.office.people import worked
from cloud.tests.room import given
from cloud.tests.world import Firm, Somebody, World

SECRET = re.compile(
    r"password|hash|secret|token|keyid|public_key|_key$|tag$|endpoint|sealed|wrapped|salt|content|code$"
)
"""Names of columns that contain secrets."""
ACTOR = re.compile(r"^(actor|author)$|_by$")
WAGES = CompensationValue.__tablename__


def _dump(caller: Somebody, company_id: str = "", query: str = "") -> Any:
    answer = caller.get(f"/api/companies/{company_id or caller.company_id}/data-dump{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


# -- what is in it


def test_every_table_is_shown_or_left_out_for_a_reason() -> None:
    for table in metadata().sorted_tables:
        view = table_description(table).view
        assert isinstance(view, Shown) or view.reason
        if isinstance(view, Shown):
            columns = {column.name for column in columns_in_view(table)}
            assert not [column for column in columns if SECRET.search(column)], table.name
            actors = {column.name for column in columns_with(table, "actor")}
            assert {column for column in columns if ACTOR.search(column)} == actors, table.name


def test_the_page_has_a_german_word_for_each_table_and_column_in_view() -> None:
    page = (Path(__file__).parents[3] / "web/src/features/dataview/texts.ts").read_text(encoding="utf-8")
    tables, members = (
        set(re.findall(r"^  (\w+): ", page.partition(f"const {name}: ")[2].partition("\n}")[0], re.MULTILINE))
        for name in ("TABLES", "MEMBERS")
    )
    shown_tables = [table for table in metadata().sorted_tables if isinstance(table_description(table).view, Shown)]
    names = {table.name for table in shown_tables} - {"correction_requests"} | {"time_corrections"}
    assert names == tables
    columns = {column.name for table in shown_tables for column in columns_in_view(table)}
    assert len(columns) > 100
    assert columns - members == set()


def test_nothing_of_another_company_and_no_hidden_column_is_told(platform: Platform) -> None:
    own_id, other_id = (str(uuid.UUID(int=number)) for number in (2, 3))
    with platform.database.write(SYSTEM) as session:
        fill(session, [own_id, other_id])
    dump = json.loads(_dump_bytes(platform, own_id))
    assert other_id not in json.dumps(dump)
    assert dump["counts"] == {name: len(rows) for name, rows in dump["tables"].items()}
    assert dump["counts"].pop("devices") in {0, 1}
    assert set(dump["counts"].values()) == {1}
    for name, rows in dump["tables"].items():
        table = table_of({"time_corrections": "correction_requests"}.get(name, name))
        hidden = {column.name for column in table.columns if not column_description(column).in_view}
        assert all(row.keys().isdisjoint(hidden | {"company_id"}) for row in rows)
    assert {"users", "devices", "absences", "time_corrections", WAGES} <= dump["tables"].keys()
    left_out = {table.name for table in metadata().sorted_tables if isinstance(table_description(table).view, NotShown)}
    assert dump["tables"].keys().isdisjoint(left_out)


def test_an_entry_names_its_person_and_its_times(firm: Firm) -> None:
    worked(firm.anna, "2026-11-05", "08:00", "12:00")
    (entry,) = _dump(firm.boss)["tables"]["entries"]
    assert (entry["user_id"], entry["date"], entry["start_at"]) == (
        firm.anna.id,
        "2026-11-05",
        "2026-11-05T07:00:00.000Z",
    )


def test_system_administrators_and_what_the_works_council_reads_stay_unknown(firm: Firm, world: World) -> None:
    path = f"/api/companies/{firm.id}/working-hours-config"
    assert world.founder.put(path, json={"mode": "uniform"}).status_code == 200
    given(firm.boss, AccessLook, actor=firm.boss.id, what="times", subject=firm.anna.id)
    text = json.dumps(_dump(firm.boss))
    assert world.founder.id not in text
    assert "access_looks" not in text
    assert "System-Admin" in text
    assert _dump(world.founder, world.operator_id)["tables"]["users"] == []


@ON_BOTH
@pytest.mark.parametrize("with_costs", [True, False])
def test_without_the_module_costs_there_are_no_wages(firm: Firm, world: World, with_costs: bool) -> None:
    config = {"defaultHourlyCents": 1717, "userHourlyCents": {firm.anna.id: 1818}}
    assert firm.boss.put(f"/api/companies/{firm.id}/compensation-config", json=config).status_code == 200
    features = ["data_view", "costs"] if with_costs else ["data_view"]
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": features})
    dump = _dump(firm.boss)
    assert (WAGES in dump["tables"]) == with_costs
    assert ("17,17" in json.dumps(dump["tables"]["audit_entries"])) == with_costs
    assert WAGES in _dump(world.founder, firm.id)["tables"]


# -- how much


@ON_SQLITE
@pytest.mark.parametrize("limit", ["-1", "viele", "0.5", "1000001"])
def test_a_limit_is_a_number(firm: Firm, limit: str) -> None:
    assert firm.boss.get(f"/api/companies/{firm.id}/data-dump?limit={limit}").status_code == 422


@ON_BOTH
def test_of_each_table_come_the_newest_and_all_are_counted(firm: Firm, platform: Platform) -> None:
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(103)]
    with platform.database.write(SYSTEM) as session:
        session.add_all(FreeDay(company_id=firm.id, date=day, name="frei", half=False) for day in days)
    for query, number in (("", 100), ("?limit=50", 50), ("?limit=103", 103), ("?limit=0", 103)):
        dump = _dump(firm.boss, query=query)
        assert [row["date"] for row in dump["tables"]["free_days"]] == [day.isoformat() for day in days[::-1][:number]]
        assert (dump["counts"]["free_days"], dump["counts"]["bookings"]) == (103, 0)


@ON_BOTH
def test_more_rows_than_are_read_at_once_come_once_each_newest_first(
    firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_AT_ONCE", 3)
    for day in range(1, 8):
        given(firm.anna, Duty, date=f"2026-11-{day:02d}")
        worked(firm.anna, f"2026-10-{day:02d}", "08:00", "12:00")
    for query, number in (("?limit=0", 7), ("?limit=6", 6), ("?limit=7", 7), ("?limit=5", 5)):
        dump = _dump(firm.boss, query=query)
        for name in ("duties", "entries"):
            ids = [row["id"] for row in dump["tables"][name]]
            assert len(set(ids)) == number
            assert ids == sorted(ids, reverse=True)
            assert dump["counts"][name] == 7


@ON_SQLITE
def test_many_rows_take_no_more_memory_than_few(firm: Firm, platform: Platform) -> None:
    def peak() -> tuple[int, int]:
        tracemalloc.start()
        size = sum(map(len, _pieces(platform, firm.id)))
        peak_bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak_bytes, size

    def add_rows(first: int, number: int) -> None:
        now = platform.clock.now()
        row = {"company_id": firm.id, "user_id": firm.anna.id, "created_at": now, "changed_at": now}
        days = (date(2026, 1, 1) + timedelta(offset) for offset in range(first, first + number))
        with platform.database.write(SYSTEM) as session:
            session.execute(insert(Duty), [row | {"id": platform.ids.new(), "date": day} for day in days])

    add_rows(0, 1_000)
    peak()
    few, small = peak()
    add_rows(1_000, 5_000)
    many, large = peak()
    assert large > 5 * small
    assert many < 1.5 * few


# -- whose turn it is


@ON_SQLITE
def test_whoever_still_reads_one_waits_with_the_next_and_nobody_else(
    firm: Firm, world: World, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "PATIENCE_S", 0)
    path = f"/api/companies/{firm.id}/data-dump"
    with asyncio.run(places.take_own(platform, firm.boss.id, "dump", ".")):
        assert firm.boss.get(path).status_code == 429
        _dump(world.user(firm.id, "leiterin", COMPANY_ADMIN))
        _dump(world.firm("Andere").boss)
    for _ in range(2):
        _dump(firm.boss)


def _dump_bytes(platform: Platform, company_id: str) -> bytes:
    return b"".join(_pieces(platform, company_id))


def _pieces(platform: Platform, company_id: str) -> Iterator[bytes]:
    """Returns the data of a whole company as a system administrator gets them."""
    now = platform.clock.now()
    caller = Caller("", "", "admin", "", "admin", now, now, company_id)
    return service.pieces(platform, caller, 0)
