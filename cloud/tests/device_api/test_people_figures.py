"""Targets, balances, hand-overs and messages on the clocks: who gets what, when, and at whose cost."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select
from sqlalchemy.orm import Session
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.row_security import bypasses_of
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM, of_company
from stempelwerk_cloud.kit.events import FIGURES_CHANGED, PEOPLE_CHANGED
from stempelwerk_cloud.people.messages.tables import Message
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.users import tags
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.hand_overs.tables import HandOver
from stempelwerk_cloud.timekeeping import tx as timekeeping
from stempelwerk_cloud.timekeeping.ledger.tables import PeopleChange, PersonNumber

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_api.test_people_at_midnight import MIDNIGHT, SPREAD, announced, names, people
from cloud.tests.device_client import Clock
from cloud.tests.stamping import ANNA, MORNING, Site, hours
from cloud.tests.world import password_hash

NEW = ("targetMinutes", "balanceMinutes", "openHandovers", "unreadMessages")


@dataclass
class Office:
    """Stands for the rooms that know balances and inboxes; it remembers what it was asked."""

    standings: dict[str, tuple[int, int]] = field(default_factory=dict)
    inboxes: dict[str, tuple[int, int]] = field(default_factory=dict)
    calls: list[tuple[str, list[str]]] = field(default_factory=list)
    on: list[date] = field(default_factory=list)

    def balances(
        self, _session: Session, company_id: str, user_ids: Collection[str], today: date
    ) -> Mapping[str, tuple[int, int]]:
        self.calls.append((f"balances {company_id}", sorted(user_ids)))
        self.on.append(today)
        return {user_id: standing for user_id, standing in self.standings.items() if user_id in user_ids}

    def inbox_counts(
        self, _session: Session, company_id: str, user_ids: Collection[str], _now: datetime
    ) -> Mapping[str, tuple[int, int]]:
        self.calls.append((f"inboxes {company_id}", sorted(user_ids)))
        return {user_id: counts for user_id, counts in self.inboxes.items() if user_id in user_ids}


@pytest.fixture
def office(site: Site) -> Office:
    office_stub = Office()
    ports.BALANCES.provide(site.world.platform, office_stub.balances)
    ports.INBOX_COUNTS.provide(site.world.platform, office_stub.inbox_counts)
    return office_stub


def figures_by_name(answer: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    return {person["name"]: tuple(person[name] for name in NEW) for person in answer["people"]}


def tell(site: Site, *user_ids: str) -> None:
    """Something that concerns these people's figures is committed."""
    with site.world.platform.database.write(of_company(site.firm.id)) as session:
        UnitOfWork(session, site.world.platform).emit(FIGURES_CHANGED, company_id=site.firm.id, user_ids=user_ids)


# ---- what is sent


def stewards(clock: Clock) -> dict[str, list[str]]:
    return {person["name"]: person["tags"] for person in people(clock)["people"] if person.get("steward") is True}


def test_a_clock_is_told_which_tags_are_its_own_companys_administrators(site: Site) -> None:
    edit, anna = f"/api/users/{site.firm.boss.id}", f"/api/users/{site.firm.anna.id}"
    other_clock = site.another_clock(firm=site.world.firm("Nebenan"))
    assert stewards(site.device).keys() == {"chefin"}
    held_revision = people(site.device)["revision"]
    assert site.boss.put(anna, json={"role": "companyAdmin"}).is_success
    [told_of] = people(site.device, held_revision)["people"]
    assert (told_of["name"], told_of["steward"]) == ("anna", True)
    held_revision = people(site.device)["revision"]
    assert site.boss.put(anna, json={"role": "user"}).is_success
    assert {person["name"]: "steward" in person for person in people(site.device, held_revision)["people"]}[
        "anna"
    ] is False
    theirs = stewards(other_clock)
    assert site.boss.put(edit, json={"tagId": "04C0FFEE000001"}).is_success
    assert stewards(site.device) == {"chefin": ["04C0FFEE000001"]}
    assert stewards(other_clock) == theirs


def test_a_locked_administrator_is_no_steward_until_they_are_unlocked(site: Site) -> None:
    anna = f"/api/users/{site.firm.anna.id}"
    assert site.boss.put(anna, json={"role": "companyAdmin"}).is_success
    assert stewards(site.device).keys() == {"anna", "chefin"}
    held_revision = people(site.device)["revision"]
    root = site.world.admin("pförtner")
    assert root.put(f"{anna}/lock").is_success
    [told_of] = people(site.device, held_revision)["people"]
    assert (told_of["name"], "steward" in told_of) == ("anna", False)
    assert told_of["tags"]  # who is locked still stamps
    held_revision = people(site.device)["revision"]
    assert root.put(f"{anna}/password-reset").is_success
    [told_of] = people(site.device, held_revision)["people"]
    assert (told_of["name"], told_of["steward"]) == ("anna", True)


@ON_BOTH
def test_an_administrator_who_has_left_is_no_steward(site: Site) -> None:
    anna = f"/api/users/{site.firm.anna.id}"
    assert site.boss.put(anna, json={"role": "companyAdmin"}).is_success
    leaving = site.boss.put(f"{anna}/employment", json={"exitDate": "2026-11-20"})
    assert leaving.is_success, leaving.text
    first = people(site.device)
    assert stewards(site.device).keys() == {"anna", "chefin"}
    site.clock.set(MIDNIGHT + SPREAD)
    [told_of] = people(site.device, first["revision"])["people"]
    assert (told_of["name"], "steward" in told_of) == ("anna", False)
    assert told_of["tags"]  # her stamps are facts nevertheless
    held_revision = people(site.device)["revision"]
    assert site.boss.put(f"{anna}/employment", json={"exitDate": None}).is_success
    [told_of] = people(site.device, held_revision)["people"]
    assert (told_of["name"], told_of["steward"]) == ("anna", True)


def test_of_whom_nothing_is_known_nothing_is_told(site: Site, office: Office) -> None:
    assert set(figures_by_name(people(site.device)).values()) == {(None, None, None, None)}


def test_everybody_is_told_of_what_is_known_of_them(site: Site, office: Office) -> None:
    anna, ben = site.firm.anna.id, site.firm.ben.id
    office.standings = {anna: (480, -35)}
    office.inboxes = {anna: (2, 1), ben: (0, 0)}
    answer = people(site.device)
    assert figures_by_name(answer) == {
        "anna": (480, -35, 2, 1),
        "ben": (None, None, 0, 0),
        "chefin": (None, None, None, None),
    }
    assert answer["day"] == "2026-11-20"
    assert office.on == [site.clock.now().date()]


def test_a_balance_is_an_hour_like_others_and_a_count_is_none(site: Site, office: Office) -> None:
    anna = site.firm.anna.id
    office.standings, office.inboxes = {anna: (480, -35)}, {anna: (2, 1)}
    site.boss.put(f"/api/companies/{site.firm.id}/settings", json={"clockShowsBalance": False})
    assert figures_by_name(people(site.device))["anna"] == (None, None, 2, 1)
    assert not any(kind.startswith("balances") for kind, _ in office.calls)
    site.boss.put(f"/api/companies/{site.firm.id}/settings", json={"clockShowsBalance": True})
    assert figures_by_name(people(site.device))["anna"] == (480, -35, 2, 1)


def test_nobody_is_asked_about_who_is_not_told_of(site: Site, office: Office) -> None:
    held_revision = settled_revision(site)
    office.calls.clear()
    assert people(site.device, held_revision)["people"] == []
    assert office.calls == []
    site.device.deliver(site.device.tap(ANNA))
    assert set(told_since(site, held_revision)) == {"anna"}
    calls = [(f"{kind} {site.firm.id}", [site.firm.anna.id]) for kind in ("balances", "inboxes")]
    assert office.calls == calls
    # A clock that held the same gets the answer of the same read, for a while.
    other_clock = site.another_clock()
    assert set(figures_by_name(people(site.device, held_revision))) == {"anna"}
    assert office.calls == calls
    site.clock.advance(seconds=31)
    assert set(figures_by_name(people(site.device, held_revision))) == {"anna"}
    assert office.calls == calls * 2
    assert people(other_clock)["reset"]


def test_who_is_committed_later_than_somebody_newer_is_told_all_the_same(site: Site, office: Office) -> None:
    site.device.deliver(site.device.tap(ANNA))
    tell(site, site.firm.anna.id)
    held_revision = people(site.device)["revision"]
    assert people(site.device, held_revision)["people"] == []
    with site.world.platform.database.write(SYSTEM) as session:
        number = session.scalar(select(PersonNumber.no).where(PersonNumber.user_id == site.firm.anna.id))
        a_minute_ago = site.world.platform.clock.now() - timedelta(minutes=1)
        change = {"company_id": site.firm.id, "changed_at": a_minute_ago, "id": site.world.platform.ids.new()}
        session.execute(insert(PeopleChange), [change | {"people": f"[{number}]"}])
    assert set(figures_by_name(people(site.device, held_revision))) == {"anna"}


def test_a_heartbeat_asks_nobody_for_figures(site: Site, office: Office) -> None:
    site.clock.set(MIDNIGHT - hours(1))
    for step in (hours(1), SPREAD, hours(1)):
        site.clock.advance(seconds=step.total_seconds())
        assert site.device.beat().status_code == 200
    assert office.calls == []


# ---- at midnight


def quiet(site: Site) -> str:
    """Returns the revision of a clock an hour before midnight, on a day without work."""
    site.clock.set(MIDNIGHT - hours(1))
    return str(people(site.device)["revision"])


def test_at_midnight_everybody_with_a_balance_is_told_once(site: Site, office: Office) -> None:
    anna, ben = site.firm.anna.id, site.firm.ben.id
    office.standings = {anna: (480, -35), ben: (0, 0)}
    held_revision = quiet(site)
    site.clock.set(MIDNIGHT + SPREAD)
    office.standings = {anna: (0, -35), ben: (0, 0)}
    answer = people(site.device, held_revision)
    assert (answer["reset"], answer["day"]) == (False, "2026-11-21")
    assert figures_by_name(answer) == {"anna": (0, -35, None, None), "ben": (0, 0, None, None)}
    assert people(site.device, answer["revision"])["people"] == []
    site.clock.advance(hours=12)
    assert announced(site) == answer["revision"]


def test_at_midnight_who_has_something_waiting_is_told_of_it_again(site: Site, office: Office) -> None:
    anna, ben = site.firm.anna.id, site.firm.ben.id
    site.boss.put(f"/api/companies/{site.firm.id}/settings", json={"clockShowsBalance": False})
    office.inboxes = {anna: (0, 1), ben: (0, 0)}
    held_revision = quiet(site)
    site.clock.set(MIDNIGHT + SPREAD)
    assert figures_by_name(people(site.device, held_revision)) == {"anna": (None, None, 0, 1)}


def test_a_quiet_company_without_targets_is_told_of_nobody_at_midnight(site: Site, office: Office) -> None:
    held_revision = quiet(site)
    site.clock.set(MIDNIGHT + SPREAD)
    assert people(site.device, held_revision)["people"] == []


def test_whoever_is_told_between_midnight_and_the_clocks_moment_is_told_of_the_new_day(
    site: Site, office: Office
) -> None:
    held_revision = quiet(site)
    office.standings = {site.firm.anna.id: (0, -515)}
    site.clock.set(MIDNIGHT + timedelta(milliseconds=1))
    tell(site, site.firm.anna.id)
    answer = people(site.device, held_revision)
    assert (answer["day"], figures_by_name(answer)["anna"]) == ("2026-11-21", (0, -515, None, None))
    assert office.on[-1] == date(2026, 11, 21)
    site.clock.set(MIDNIGHT + SPREAD)
    assert figures_by_name(people(site.device, answer["revision"])) == {"anna": (0, -515, None, None)}


def test_over_many_nights_a_clock_shows_what_the_office_says_on_each(site: Site, office: Office) -> None:
    anna = site.firm.anna.id
    revision = quiet(site)
    for night in range(10):
        site.clock.set(MIDNIGHT + night * DAY + SPREAD)
        office.standings = {anna: (480, -480 * night)}
        answer = people(site.device, revision)
        assert (figures_by_name(answer), answer["reset"]) == ({"anna": (480, -480 * night, None, None)}, False)
        revision = answer["revision"]


# ---- when something changes


def settled_revision(site: Site) -> str:
    """Returns the revision of a clock that has long been sent nothing but one person, who may be sent again."""
    site.clock.advance(minutes=30)
    tell(site, site.firm.boss.id)
    site.clock.advance(minutes=30)
    return str(people(site.device)["revision"])


def told_since(site: Site, held_revision: str) -> dict[str, tuple[Any, ...]]:
    """Returns the people that a clock with this revision receives, without that person."""
    return {
        name: figures
        for name, figures in figures_by_name(people(site.device, held_revision)).items()
        if name != "chefin"
    }


def test_who_is_named_is_told_anew_and_nobody_else(site: Site, office: Office) -> None:
    held_revision = settled_revision(site)
    assert announced(site) == held_revision
    office.inboxes = {site.firm.ben.id: (0, 3)}
    tell(site, site.firm.ben.id)
    assert announced(site) != held_revision
    assert told_since(site, held_revision) == {"ben": (None, None, 0, 3)}


def test_another_company_hears_nothing_of_it(site: Site, office: Office) -> None:
    other_firm = site.world.firm("Bäckerei Krume")
    theirs = site.another_clock(firm=other_firm)
    site.clock.advance(minutes=30)
    held_revision = people(theirs)["revision"]
    tell(site, site.firm.ben.id)
    assert theirs.beat().json()["peopleRevision"] == held_revision
    assert people(theirs, held_revision)["people"] == []


def test_what_is_rolled_back_is_not_told(site: Site, office: Office) -> None:
    held_revision = settled_revision(site)
    platform = site.world.platform
    with platform.database.write(of_company(site.firm.id)) as session:
        UnitOfWork(session, platform).emit(FIGURES_CHANGED, company_id=site.firm.id, user_ids=[site.firm.anna.id])
        session.rollback()
    assert announced(site) == held_revision


@pytest.mark.parametrize("user_ids", [[], ["01927a11-0000-7000-8000-0000000000f7"]])
def test_who_is_on_no_clock_wakes_none(site: Site, office: Office, user_ids: list[str]) -> None:
    held_revision = settled_revision(site)
    tell(site, *user_ids)
    assert announced(site) == held_revision


def test_whoever_has_the_companys_plan_may_say_it(site: Site, office: Office) -> None:
    held_revision = settled_revision(site)
    timekeeping.MEMORY.of(site.world.platform).numbers.clear()
    with site.world.platform.database.write(of_company(site.firm.id)) as session:
        locks.take(session, Lock.PLAN, site.firm.id)
        work = UnitOfWork(session, site.world.platform)
        work.emit(FIGURES_CHANGED, company_id=site.firm.id, user_ids=[site.firm.anna.id, site.world.founder.id])
    assert set(told_since(site, held_revision)) == {"anna"}


def test_figures_of_somebody_made_in_the_same_transaction_leave_no_number_behind_if_that_fails(
    site: Site, office: Office
) -> None:
    platform, company_id = site.world.platform, site.firm.id

    def hire(session: Session) -> str:
        work = UnitOfWork(session, platform)
        user = users.insert(work, company_id, "carl", password_hash(), "user")
        tags.give(work, user, "04C0FFEE", None)
        work.emit(PEOPLE_CHANGED, company_id=company_id, user_ids=[user.id])
        work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=[user.id])
        return user.id

    numbers_before = dict(timekeeping.MEMORY.of(platform).numbers.get(("person", company_id), {}))
    with platform.database.write(SYSTEM) as session:
        lost = hire(session)
        session.rollback()
    assert lost not in timekeeping.MEMORY.of(platform).numbers.get(("person", company_id), numbers_before)
    with platform.database.write(SYSTEM) as session:
        hire(session)
    assert "carl" in names(people(site.device))


# ---- row-level security


READ_FOR_FIGURES = (
    "absences",
    "bookings",
    "company_settings",
    "duties",
    "entries",
    "messages",
    "person_numbers",
    "person_values",
    "swap_requests",
    "users",
    "vacation_requests",
)


@pytest.mark.parametrize("table", READ_FOR_FIGURES)
def test_a_clocks_call_may_read_what_figures_are_made_of(table: str) -> None:
    assert bypasses_of(Base.metadata.tables[table]).get(DEVICES.bypass) in ("select", "all")


def _message(company_id: str, user_id: str, n: int, *, read: bool) -> dict[str, Any]:
    return {
        "company_id": company_id,
        "id": f"01927a11-0000-7000-8000-0000000001{n:02d}",
        "user_id": user_id,
        "type": "schedule",
        "title": "Neuer Dienstplan",
        "body": "",
        "payload": "{}",
        "created_at": MORNING,
        "read_at": datetime(2026, 11, 20, tzinfo=UTC) if read else None,
    }


def test_counts_come_through_the_wall(site: Site) -> None:
    platform, anna, ben = site.world.platform, site.firm.anna.id, site.firm.ben.id
    other_firm = site.world.firm("Bäckerei Krume")
    with platform.database.write(SYSTEM) as session:
        rows = [_message(site.firm.id, anna, n, read=n == 0) for n in range(3)]
        session.execute(insert(Message), [*rows, _message(other_firm.id, other_firm.anna.id, 9, read=False)])
        handover = {
            "company_id": site.firm.id,
            "id": "01927a11-0000-7000-8000-0000000002ff",
            "duty_id": "01927a11-0000-7000-8000-0000000003ff",
            "date": MORNING.date(),
            "from_id": anna,
            "to_id": ben,
            "status": "pending",
            "created_at": MORNING,
        }
        session.execute(insert(HandOver), [handover])
    assert {name: figures[2:] for name, figures in figures_by_name(people(site.device)).items()} == {
        "anna": (0, 2),
        "ben": (1, 0),
        "chefin": (0, 0),
    }
