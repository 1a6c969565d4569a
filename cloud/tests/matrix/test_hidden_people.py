"""The operator's company never reads the name of a system administrator about itself (decisions 17 and 19)."""

import io
import zipfile
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from fastapi import FastAPI
from pypdf import PdfReader
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.limits.rates import Rates
from stempelwerk_cloud.people.directory.callers import ADMIN, COMPANY_ADMIN
from stempelwerk_cloud.people.directory.tables import FOUNDER, User
from stempelwerk_cloud.planning.facts.tables import Absence, Duty
from stempelwerk_cloud.planning.hand_overs.tables import HandOver
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest

from cloud.tests.databases import ON_SQLITE
from cloud.tests.matrix import fillings, promises
from cloud.tests.matrix.promises import BOSS, Call
from cloud.tests.matrix.scene import Scene, Town
from cloud.tests.office.people import away, booked, employ, on_leave, set_weekly, worked
from cloud.tests.room import given
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

pytestmark = ON_SQLITE

HIDDEN = "Verborgene"
MONTHS = ("2026-10", "2026-11")
SPAN = {"from": "2026-10-01", "to": "2026-11-30"}


class Office(Scene):
    """A scene in the operator's company, which has an administrator of its own."""

    def _firm(self, name: str) -> Firm:
        if name.startswith("Nachbarin"):
            return super()._firm(name)
        with self.world.platform.database.write(SYSTEM) as tx:
            operator = self.world.operator_id
            people = [
                self._person(tx, operator, f"{who} {self.number}", role)
                for who, role in (("chefin", COMPANY_ADMIN), ("anna", "user"), ("ben", "user"))
            ]
        return Firm(operator, "operator", self.world, *people)


def _lived(somebody: Somebody, colleague: Somebody) -> None:
    """An employee with something in every list of their company, for months that are open and one that has ended."""
    worked(somebody, "2026-10-06", "08:00", "19:30")
    worked(somebody, "2026-11-18", "08:00", "12:00")
    employ(somebody, date(2026, 1, 1), personnel_number="4711", department="Leitung", exit_date="2027-01-31")
    booked(somebody, "2026-11-17", 30)
    on_leave(somebody, "2026-12-07", "2026-12-08")
    on_leave(somebody, "2026-12-14", "2026-12-15", status="pending")
    away(somebody, "2026-11-16")
    given(somebody, Absence, date="2026-11-20", kind="sick", status="open")
    for day in ("2026-11-20", "2026-11-21", "2026-12-07"):
        given(somebody, Duty, date=day, start_minute=420, end_minute=900)
    given(somebody, HandOver, from_id=somebody.id, to_id=colleague.id, date="2026-11-21", status="pending")
    given(somebody, CorrectionRequest, date="2026-11-12", new_start=420, new_end=900, status="pending")


@pytest.fixture
def scene(world: World, clock: SettableClock) -> Office:
    """The operator's company with two employees who became system administrators, one of them a founder."""
    scene = Office(Town(world, clock))
    firm = scene.firm
    firm.boss = world.again(firm.boss)
    set_weekly(firm, 2400)
    for number, protected_as in enumerate((None, FOUNDER)):
        somebody = world.user(firm.id, f"{HIDDEN} {number}", tag=f"04B1{number}500")
        _lived(somebody, firm.anna)
        assert firm.boss.put(f"/api/users/{somebody.id}", json={"username": f"{HIDDEN} {number} II"}).status_code == 200
        assert (
            firm.boss.put(
                f"/api/companies/{firm.id}/compensation-config", json={"userHourlyCents": {somebody.id: 1818}}
            ).status_code
            == 200
        )
        with world.platform.database.write(SYSTEM) as tx:
            row = tx.get_one(User, (firm.id, somebody.id))
            row.role, row.protected_as = ADMIN, protected_as
    _lived(firm.ben, firm.anna)
    return scene


def _hidden(scene: Office) -> tuple[set[str], set[str]]:
    """Returns names and ids of the system administrators. The chained log stores ids without their names."""
    with scene.world.platform.database.read(SYSTEM) as tx:
        people = tx.scalars(select(User).where(User.role == ADMIN)).all()
        return {user.username for user in people}, {user.id for user in people}


def _texts(content: bytes) -> Iterator[str]:
    """Yields the readable texts of a file, and of each file in an archive."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        archive = zipfile.ZipFile(io.BytesIO(content))
        yield " ".join(archive.namelist())
        for name in archive.namelist():
            yield from _texts(archive.read(name))
    elif content.startswith(b"%PDF"):
        yield " ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    else:
        yield content.decode(errors="replace")


def _queries(call: Call, more: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The call's own query, and what widens it."""
    base = more.get("params", {})
    yield base
    names = {field.alias for field in call.route.dependant.query_params}
    if {"from", "to"} <= names:
        yield base | SPAN
    if "month" in names:
        yield from (base | {"month": month} for month in MONTHS)
    if "year" in names:
        yield from (base | {"year": year} for year in ("2026", "2027"))
    if "date" in names:
        yield from (base | {"date": day} for day in ("2026-11-18", "2026-11-20"))
    if "status" in names:
        yield from (base | {"status": one} for one in ("pending", "approved", "open", "excused"))
    if "deleted" in names:
        yield base | {"deleted": "true"}
    if "format" in names:
        yield from (base | {"format": one, "month": "2026-10"} | SPAN for one in ("xlsx", "csv", "pdf", "lodas", "lug"))


def test_no_answer_to_the_operators_own_administrator_names_a_system_administrator(app: FastAPI, scene: Office) -> None:
    (names, ids), wrong, read = _hidden(scene), [], 0
    for call in promises.calls(app):
        if call.method != "GET" or call.is_stream or promises.promised(call, BOSS) is not None or call.who == "device":
            continue
        path, more = fillings.filled(call, scene, scene.firm.boss)
        for query in _queries(call, more):
            scene.world.platform.rates = Rates()
            answer = scene.firm.boss.get(path, params=query)
            read += answer.status_code == 200
            sought = names if call.path.endswith("/audit") else names | ids
            found = {one for text in _texts(answer.content) for one in sought if one in text}
            if found:
                wrong.append(f"{call} {query}: {sorted(found)}")
    assert not wrong, "\n".join(wrong)
    assert read > 60
