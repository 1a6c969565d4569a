"""A dry run blocks no writer and waits for no writer, and lists exactly the months that the change then alters."""

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from httpx2 import Response
from sqlalchemy import text
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database import locks, transactions
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.correcting import approve, asked, stamped
from cloud.tests.databases import ON_BOTH
from cloud.tests.office.people import employ, set_weekly, worked
from cloud.tests.stamping import Site
from cloud.tests.waiting import until
from cloud.tests.world import Firm, Somebody

pytestmark = ON_BOTH

PATIENCE_S = 20
MONTHS = ("2026-09", "2026-10", "2026-11")
SETTINGS = "/api/companies/{id}/settings"
HOURS = "/api/companies/{companyId}/working-hours-config"
POLICY = "/api/companies/{companyId}/vacation-policy"


class Change(NamedTuple):
    body: Callable[[Firm], dict[str, Any]]
    months: tuple[str, ...]


CHANGES: dict[str, Change] = {
    SETTINGS: Change(lambda _: {"breakPolicy": "none", "validFrom": "2026-10-01"}, MONTHS[1:]),
    HOURS: Change(
        lambda _: {"mode": "uniform", "uniformWeeklyTargetMinutes": 1800, "validFrom": "2026-11-01"}, MONTHS[2:]
    ),
    "/api/companies/{companyId}/employee-weekly-targets": Change(
        lambda firm: {
            "items": [{"userId": firm.anna.id, "weeklyTargetMinutes": 1200}],
            "validFrom": "2026-10-05",
        },
        (),  # the company's mode is `uniform`
    ),
    "/api/companies/{companyId}/free-days": Change(
        lambda _: {"year": 2026, "days": [{"date": "2026-10-02", "name": "Jubiläum"}]}, MONTHS[1:2]
    ),
    POLICY: Change(
        lambda _: {"mode": "uniform", "uniformDays": 30, "perUser": {}, "validFrom": "2026-01-01"},
        (),
    ),
    "/api/companies/{companyId}/compensation-config": Change(
        lambda firm: {
            "mode": "perUserHourly",
            "userHourlyCents": {firm.anna.id: 1800},
            "validFrom": "2026-10-01",
        },
        MONTHS[1:],
    ),
    "/api/users/{userId}/employment": Change(
        lambda _: {"workdays": [0, 1, 2, 3], "exitDate": "2026-11-10", "validFrom": "2026-11-01"}, MONTHS[2:]
    ),
}


def _path(firm: Firm, route: str) -> str:
    return route.format(id=firm.id, companyId=firm.id, userId=firm.anna.id)


def _ask(firm: Firm, route: str, query: str = "?dryRun=true") -> Response:
    return firm.boss.put(_path(firm, route) + query, json=CHANGES[route].body(firm))


@pytest.fixture
def busy(site: Site) -> Firm:
    """Anna has worked nine hours on a day of each month; her hours cost something."""
    firm = replace(site.firm, boss=site.boss, anna=site.somebody(site.firm.anna))
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-09-01")
    for month in MONTHS:
        worked(firm.anna, f"{month}-03", "08:00", "17:00")
    return firm


class Gate:
    """Dry runs that have made their change and wait to look at it."""

    def __init__(self) -> None:
        self.arrived = threading.Semaphore(0)
        self.go_on = threading.Event()
        self.count, self.peak = 0, 0
        self._lock = threading.Lock()

    def wait(self) -> None:
        with self._lock:
            self.count += 1
            self.peak = max(self.peak, self.count)
        self.arrived.release()
        assert self.go_on.wait(PATIENCE_S)
        with self._lock:
            self.count -= 1


@contextmanager
def _gated(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """Holds each dry run in its middle, until the block ends at the latest."""
    gate, altering = Gate(), ports.ALTERING.of(platform)

    def altering_at_gate(*arguments: Any) -> Callable[[], Any]:
        look, looks = altering(*arguments), itertools.count()

        def look_at_gate() -> Any:
            if next(looks) == 0:
                gate.wait()
            return look()

        return look_at_gate

    monkeypatch.setitem(platform.ports, ports.ALTERING, altering_at_gate)
    try:
        yield gate
    finally:
        gate.go_on.set()


def _routes(app: FastAPI) -> set[str]:
    paths = app.openapi()["paths"]
    return {
        path
        for path, calls in paths.items()
        for parameter in calls.get("put", {}).get("parameters", ())
        if parameter["name"] == "dryRun"
    }


def test_every_call_with_a_dry_run_is_tried_here(app: FastAPI) -> None:
    assert _routes(app) == set(CHANGES)
    paths = {route.path for route in app.routes if isinstance(route, APIRoute) and route.methods == {"PUT"}}
    assert set(CHANGES) <= paths


@pytest.mark.parametrize("route", CHANGES)
def test_a_dry_run_names_exactly_the_months_that_its_change_alters(busy: Firm, route: str) -> None:
    def figures() -> dict[str, Any]:
        paths = ("accounts", "compensation-costs")
        figures_by_month = {
            month: [busy.boss.get(f"/api/companies/{busy.id}/{path}?month={month}").json() for path in paths]
            for month in MONTHS
        }
        return {month: [_figures(accounts), costs] for month, (accounts, costs) in figures_by_month.items()}

    initial = figures()
    months = [month["month"] for month in _ask(busy, route).json()["months"]]
    assert figures() == initial
    assert _ask(busy, route, "").status_code == 200
    final = figures()
    assert months == [month for month in MONTHS if initial[month] != final[month]] == list(CHANGES[route].months)
    assert _ask(busy, route).json() == {"months": []}


def _figures(accounts: Any) -> Any:
    """Returns the month's own figures of each account, without balances carried from earlier months."""
    names = ("userId", "targetMinutes", "actualMinutes", "creditMinutes", "credits")
    items = accounts["items"] if isinstance(accounts, dict) else accounts
    return [{name: row[name] for name in names if name in row} for row in items]


@pytest.mark.parametrize("route", CHANGES)
def test_others_write_decide_and_stamp_at_once_while_a_dry_run_is_in_its_middle(
    site: Site, busy: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch, route: str
) -> None:
    request = asked(busy.anna, date="2026-11-19", start="08:00", end="16:00")["id"]
    other_firm = site.world.firm("Andere GmbH")
    with _gated(platform, monkeypatch) as gate, ThreadPoolExecutor(2) as pool:
        answer = pool.submit(_ask, busy, route)
        assert gate.arrived.acquire(timeout=PATIENCE_S), _state(answer)
        wrote = other_firm.boss.put(f"/api/companies/{other_firm.id}/settings", json={"breakPolicy": "none"})
        changed = _ask(busy, SETTINGS, "")
        assert [wrote.status_code, changed.status_code] == [200, 200]
        assert approve(busy.boss, request).status_code == 200
        stamped(site, "2026-11-20 07:00", "2026-11-20 15:00")
        assert not answer.done()
        gate.go_on.set()
        assert answer.result(PATIENCE_S).status_code == 200
    (entry,) = [entry for entry in site.times() if entry["date"] == "2026-11-20"]
    assert (entry["start"], entry["end"]) == ("07:00", "15:00")


def _state(answer: "Future[Response]") -> str:
    return answer.result(1).text if answer.done() else "it has not come to its middle"


@pytest.mark.parametrize("route", CHANGES)
def test_a_dry_run_reads_one_moment_whatever_is_changed_meanwhile(
    busy: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch, route: str
) -> None:
    expected = _ask(busy, route).json()
    with _gated(platform, monkeypatch) as gate, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(_ask, busy, route)
        assert gate.arrived.acquire(timeout=PATIENCE_S), _state(answer)
        for month in MONTHS:
            worked(busy.anna, f"{month}-04", "08:00", "18:00")
        gate.go_on.set()
        assert answer.result(PATIENCE_S).json() == expected


@contextmanager
def everything_locked(platform: Platform, owner: Database, company_id: str) -> Iterator[None]:
    """Another transaction holds the write lock of SQLite; on PostgreSQL every table and the company's locks."""
    with owner.write(SYSTEM) as session:
        if platform.database.dialect == "postgresql":
            lock_keys = [(lock, company_id, False) for lock in (Lock.COMPANY, Lock.RULES, Lock.PLAN, Lock.EXPORTS)]
            locks.take_all(session, [*lock_keys, (Lock.NUMBERS, "", False), (Lock.AUDIT, company_id, False)])
            tables = ", ".join(table.name for table in Base.metadata.sorted_tables)
            session.execute(text(f"LOCK TABLE {tables} IN EXCLUSIVE MODE"))
        else:
            session.execute(text("UPDATE companies SET name = name"))
        yield


def _in_time(call: Callable[[], Response]) -> Response:
    """Returns the answer of a call that must not wait. A waiting call is not joined, so that its lock ends."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(call).result(PATIENCE_S)
    finally:
        pool.shutdown(wait=False)


@pytest.mark.parametrize("route", CHANGES)
def test_a_dry_run_goes_through_while_another_transaction_holds_every_lock(
    busy: Firm, platform: Platform, owner: Database, route: str
) -> None:
    expected = _ask(busy, route).json()
    with everything_locked(platform, owner, busy.id):
        answer = _in_time(lambda: _ask(busy, route))
    assert (answer.status_code, answer.json()) == (200, expected)


def test_looks_ahead_of_vacation_corrections_and_imports_wait_for_no_lock(
    site: Site, busy: Firm, platform: Platform, owner: Database
) -> None:
    request = asked(busy.anna, date="2026-11-19", start="08:00", end="16:00")["id"]
    days = "kind=wish&startDate=2026-12-07&endDate=2026-12-08"
    table = {"file": ("leute.csv", b"Name;Chip\ncarla;04ABCDE1\n")}
    calls: list[Callable[[], Response]] = [
        lambda: busy.anna.get(f"/api/vacation-requests/preview?{days}"),
        lambda: busy.boss.get(f"/api/time-corrections/{request}/preview?start=08:00&end=16:00"),
        lambda: busy.boss.post(f"/api/companies/{busy.id}/users/import?dryRun=true", files=table),
    ]
    expected = [call().text for call in calls]
    with everything_locked(platform, owner, busy.id):
        answers = [_in_time(call) for call in calls]
    assert [(answer.status_code, answer.text) for answer in answers] == [(200, content) for content in expected]


def test_a_dry_run_that_takes_too_long_ends_with_a_sentence_and_leaves_nothing(
    busy: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _ask(busy, SETTINGS).json()
    with monkeypatch.context() as patch:
        patch.setattr(transactions, "DRY_RUN_S", 0.001)
        answer = _ask(busy, SETTINGS)
    assert (answer.status_code, answer.json()["code"]) == (503, "dry_run_took_too_long")
    assert answer.json()["message"] == (
        "Die Vorschau hat zu lange gedauert und wurde abgebrochen. Es wurde nichts geändert."
        " Bitte in ein paar Minuten noch einmal versuchen."
    )
    assert _ask(busy, SETTINGS).json() == expected
    assert _ask(busy, SETTINGS, "").status_code == 200


def test_ten_sessions_of_one_person_have_one_dry_run_at_a_time_and_one_connection(
    site: Site, busy: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    bosses = [site.somebody(replace(busy.boss)) for _ in range(10)]
    other_firm = site.world.firm("Andere GmbH")
    body = CHANGES[SETTINGS].body(busy)

    def ask(boss: Somebody) -> Response:
        return boss.put(_path(busy, SETTINGS) + "?dryRun=true", json=body)

    with _gated(platform, monkeypatch) as gate, ThreadPoolExecutor(10) as pool:
        futures = [pool.submit(ask, boss) for boss in bosses]
        assert gate.arrived.acquire(timeout=PATIENCE_S)
        pool_of_pages: Any = platform.database.engine.pool
        until(lambda: pool_of_pages.checkedout() == 1)
        assert _in_time(lambda: _ask(other_firm, SETTINGS, "")).status_code == 200
        gate.go_on.set()
        answers = [future.result(PATIENCE_S) for future in futures]
    assert [(answer.status_code, answer.text) for answer in answers if answer.status_code != 200] == []
    assert gate.peak == 1


def test_a_question_about_another_companys_person_or_none_is_refused_as_the_change_is(
    site: Site, busy: Firm, platform: Platform
) -> None:
    stranger = site.world.firm("Andere GmbH").boss
    body = CHANGES["/api/users/{userId}/employment"].body(busy)
    for user_id in (busy.anna.id, platform.ids.new()):
        assert stranger.put(f"/api/users/{user_id}/employment?dryRun=true", json=body).status_code == 404
    late = {"entryDate": "2026-12-01", "exitDate": "2026-11-01"}
    for query in ("?dryRun=true", ""):
        answer = busy.boss.put(f"/api/users/{busy.anna.id}/employment{query}", json=late)
        assert answer.status_code == 422


def test_the_connection_of_a_dry_run_goes_back_without_temporary_tables(busy: Firm, platform: Platform) -> None:
    _ask(busy, SETTINGS)
    dialect = platform.database.dialect
    query = (
        "SELECT name FROM sqlite_temp_master"
        if dialect == "sqlite"
        else ("SELECT relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()")
    )
    with platform.database.read(SYSTEM) as session:
        assert session.execute(text(query)).all() == []
