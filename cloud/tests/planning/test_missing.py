"""Missed duties are found in the following night, once the company's clocks have delivered."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session
from stempelwerk_cloud import jobs
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.absences.decisions import rounds
from stempelwerk_cloud.planning.facts.tables import Absence, Duty, VacationRequest
from stempelwerk_cloud.planning.missing import service
from stempelwerk_cloud.planning.missing.room import ROOM
from stempelwerk_cloud.planning.missing.tables import MissingSweep

from cloud.tests.planning.illness import company_absences, decide, messages_of, missed, reported
from cloud.tests.planning.leaving import was_employed
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, MORNING, NOBODY, Site, hours
from cloud.tests.world import Firm, Somebody, World

FRIDAY = date(2026, 11, 20)
MIDNIGHT = datetime(2026, 11, 20, 23, 0, tzinfo=UTC)
"""The end of that Friday in Berlin."""


def on_duty(
    world: World, person: Somebody, day: date = FRIDAY, start: int | None = None, end: int | None = None
) -> None:
    with world.platform.database.write(SYSTEM) as tx:
        tx.add(
            Duty(
                company_id=person.company_id,
                id=world.platform.ids.new(),
                user_id=person.id,
                date=day,
                start_minute=start,
                end_minute=end,
                created_at=world.platform.clock.now(),
                changed_at=world.platform.clock.now(),
            )
        )


def on_leave(
    world: World, person: Somebody, status: str, kind: str = "vacation", *, half: bool = False, morning: bool = False
) -> None:
    with world.platform.database.write(SYSTEM) as tx:
        tx.add(
            VacationRequest(
                company_id=person.company_id,
                id=world.platform.ids.new(),
                user_id=person.id,
                kind=kind,
                start_date=FRIDAY,
                end_date=FRIDAY if morning else FRIDAY + timedelta(days=3),
                start_half=half,
                end_half=morning,
                status=status,
                created_at=world.platform.clock.now(),
            )
        )


def missing(world: World, company_id: str | None = None) -> list[tuple[str, str]]:
    """Returns (username's id, day) of all missing people, by day."""
    with world.platform.database.read(SYSTEM) as tx:
        statement = select(Absence.user_id, Absence.date).where(Absence.kind == "missing")
        if company_id is not None:
            statement = statement.where(Absence.company_id == company_id)
        return [(user_id, day.isoformat()) for user_id, day in tx.execute(statement.order_by(Absence.date, Absence.id))]


def swept(world: World, company_id: str) -> date | None:
    with world.platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(MissingSweep.swept_to).where(MissingSweep.company_id == company_id))


def after_midnight(clock: SettableClock) -> None:
    clock.set(MIDNIGHT + timedelta(minutes=1))


# --- no false reports ---


def test_nobody_is_missing_before_the_day_is_over(world: World, firm: Firm, clock: SettableClock) -> None:
    on_duty(world, firm.anna)
    clock.set(MIDNIGHT - timedelta(seconds=1))
    service.sweep(world.platform)
    assert missing(world) == []
    clock.set(MIDNIGHT)
    service.sweep(world.platform)
    assert missing(world) == [(firm.anna.id, "2026-11-20")]


def test_the_day_is_the_companys(world: World, firm: Firm, clock: SettableClock) -> None:
    settings = {"timeZone": "America/New_York", "validFrom": "2026-01-01"}
    assert firm.boss.put(f"/api/companies/{firm.id}/settings", json=settings).status_code == 200
    on_duty(world, firm.anna)
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == []
    clock.set(MIDNIGHT + timedelta(hours=6))
    service.sweep(world.platform)
    assert missing(world) == [(firm.anna.id, "2026-11-20")]


@pytest.mark.parametrize(
    ("status", "kind", "excused"),
    [
        ("approved", "vacation", True),
        ("approved", "wish", True),
        ("pending", "vacation", False),
        ("declined", "wish", False),
    ],
)
def test_who_has_leave_is_not_missing(
    world: World, firm: Firm, clock: SettableClock, status: str, kind: str, *, excused: bool
) -> None:
    on_duty(world, firm.anna)
    on_leave(world, firm.anna, status, kind)
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == ([] if excused else [(firm.anna.id, "2026-11-20")])


def test_who_is_away_for_half_a_day_is_not_missing(world: World, firm: Firm, clock: SettableClock) -> None:
    on_duty(world, firm.anna)
    on_leave(world, firm.anna, "approved", half=True)
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == []


@pytest.mark.parametrize(
    ("morning", "start", "end", "is_missing"),
    [(False, 360, 720, True), (False, 360, 960, False), (True, 720, 1080, True), (True, 480, 960, False)],
)
def test_who_does_not_come_to_the_duty_of_the_other_half_is_missing(
    world: World, firm: Firm, clock: SettableClock, *, morning: bool, start: int, end: int, is_missing: bool
) -> None:
    on_duty(world, firm.anna, start=start, end=end)
    on_leave(world, firm.anna, "approved", half=not morning, morning=morning)
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == ([(firm.anna.id, "2026-11-20")] if is_missing else [])


@pytest.mark.parametrize("decision", [None, "excuse", "decline"])
def test_who_has_an_absence_is_not_missing_besides(
    world: World, firm: Firm, clock: SettableClock, decision: str | None
) -> None:
    on_duty(world, firm.anna)
    (absence,) = reported(firm.anna)
    if decision is not None:
        decide(firm.boss, absence["id"], decision)
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == []


@pytest.mark.parametrize("how", ["withdrawn", "cancelled"])
def test_who_does_not_come_after_a_report_was_taken_back_is_missing(
    world: World, firm: Firm, clock: SettableClock, how: str
) -> None:
    on_duty(world, firm.anna)
    (absence,) = reported(firm.anna)
    take_back(firm, absence["id"], how)
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == [(firm.anna.id, "2026-11-20")]


@pytest.mark.parametrize("how", ["withdrawn", "cancelled"])
def test_a_report_that_is_taken_back_later_leaves_whom_it_spared_missing(
    world: World, firm: Firm, clock: SettableClock, how: str
) -> None:
    on_duty(world, firm.anna, FRIDAY, 8 * 60)
    (absence,) = reported(firm.anna)
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == []
    take_back(firm, absence["id"], how)
    assert missing(world) == [(firm.anna.id, "2026-11-20")]
    assert company_absences(firm, reader=world.again(firm.boss))[0]["status"] == "open"


def test_a_special_absence_that_is_cancelled_later_leaves_whom_it_spared_missing(
    world: World, firm: Firm, clock: SettableClock
) -> None:
    on_duty(world, firm.anna, FRIDAY, 8 * 60)
    (absence,) = reported(firm.boss, kind="special", reason="Sonderurlaub", userId=firm.anna.id)
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == []
    take_back(firm, absence["id"], "cancelled")
    assert missing(world) == [(firm.anna.id, "2026-11-20")]


def test_a_day_without_a_stamp_that_was_cancelled_is_not_asked_for_again(world: World, firm: Firm) -> None:
    (day,) = missed(firm, firm.anna, FRIDAY)
    take_back(firm, day, "cancelled")
    missed(firm, firm.anna, FRIDAY)
    assert [row["status"] for row in company_absences(firm)] == ["cancelled"]


def take_back(firm: Firm, absence_id: str, how: str) -> None:
    path = f"/api/absences/{absence_id}"
    anna, boss = firm.world.again(firm.anna), firm.world.again(firm.boss)
    answer = anna.delete(path) if how == "withdrawn" else boss.post(f"{path}/cancel", json={"comment": "Irrtum"})
    assert answer.is_success, answer.text


def test_who_has_no_duty_or_is_no_employee_is_not_missing(world: World, firm: Firm, clock: SettableClock) -> None:
    on_duty(world, firm.boss)
    on_duty(world, firm.ben, FRIDAY + timedelta(days=1))
    on_duty(world, firm.anna)
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == []


def test_who_had_left_by_then_is_not_missing(world: World, firm: Firm, clock: SettableClock) -> None:
    on_duty(world, firm.anna)
    on_duty(world, firm.ben)
    was_employed(firm.anna, exit_date="2026-11-19")
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world) == [(firm.ben.id, "2026-11-20")]


def test_a_company_without_the_module_accuses_nobody_also_not_later(
    world: World, firm: Firm, clock: SettableClock
) -> None:
    on_duty(world, firm.anna)
    modules = firm.boss.get(f"/api/companies/{firm.id}/features").json()
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": []})
    after_midnight(clock)
    service.sweep(world.platform)
    assert (missing(world), swept(world, firm.id)) == ([], FRIDAY)
    founder = world.again(world.founder)
    founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": [module["id"] for module in modules]})
    service.sweep(world.platform)
    assert missing(world) == []


def test_who_has_stamped_is_not_missing(site: Site, clock: SettableClock) -> None:
    for person in (site.firm.anna, site.firm.ben):
        on_duty(site.world, person)
    site.device.deliver(site.device.tap(ANNA, MORNING))
    after_midnight(clock)
    site.device.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == [(site.firm.ben.id, "2026-11-20")]


def test_a_tag_that_nobody_has_excuses_nobody(site: Site, clock: SettableClock) -> None:
    on_duty(site.world, site.firm.anna)
    site.device.deliver(site.device.tap(NOBODY, MORNING))
    after_midnight(clock)
    site.device.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == [(site.firm.anna.id, "2026-11-20")]


def test_who_comes_late_to_a_night_is_not_missing(site: Site, clock: SettableClock) -> None:
    """And the day is looked at when the night is over."""
    on_duty(site.world, site.firm.anna, start=22 * 60, end=6 * 60)
    on_duty(site.world, site.firm.ben, start=22 * 60, end=6 * 60)
    clock.set(MIDNIGHT + hours(1))
    site.device.deliver(site.device.tap(ANNA, MIDNIGHT + timedelta(minutes=30)))
    site.device.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == []
    clock.set(MIDNIGHT + hours(6))
    site.device.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == [(site.firm.ben.id, "2026-11-20")]


def test_who_comes_before_the_midnight_at_which_the_duty_begins_is_not_missing(
    site: Site, clock: SettableClock
) -> None:
    for person in (site.firm.anna, site.firm.ben):
        on_duty(site.world, person, start=0, end=8 * 60)
    last_midnight = MIDNIGHT - timedelta(days=1)
    came = site.device.tap(ANNA, last_midnight - timedelta(minutes=10))
    site.device.deliver(came, site.device.tap(ANNA, last_midnight + hours(8)))
    assert [entry[0] for entry in site.spans()] == ["2026-11-19"]
    after_midnight(clock)
    site.device.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == [(site.firm.ben.id, "2026-11-20")]


def test_work_that_ended_the_day_before_excuses_nobody(site: Site, clock: SettableClock) -> None:
    on_duty(site.world, site.firm.anna, start=0, end=8 * 60)
    last_midnight = MIDNIGHT - timedelta(days=1)
    came = site.device.tap(ANNA, last_midnight - hours(6))
    site.device.deliver(came, site.device.tap(ANNA, last_midnight - timedelta(minutes=1)))
    after_midnight(clock)
    site.device.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == [(site.firm.anna.id, "2026-11-20")]
    assert [row["kind"] for row in company_absences(site.firm, reader=site.boss)] == ["missing"]


# --- clocks that are silent -----------------------------------------------------------------------------------------


def test_a_silent_clock_holds_a_day_up_for_72_hours(site: Site, clock: SettableClock) -> None:
    on_duty(site.world, site.firm.anna)
    for waited in (timedelta(minutes=1), timedelta(hours=72) - timedelta(seconds=1)):
        clock.set(MIDNIGHT + waited)
        service.sweep(site.world.platform)
        assert missing(site.world) == []
    clock.set(MIDNIGHT + timedelta(hours=72))
    service.sweep(site.world.platform)
    assert missing(site.world) == [(site.firm.anna.id, "2026-11-20")]


def test_a_clock_that_speaks_with_an_empty_queue_lets_the_day_go(site: Site, clock: SettableClock) -> None:
    on_duty(site.world, site.firm.anna)
    after_midnight(clock)
    for queued in (3, 1):
        site.device.beat(queue={"depth": queued, "oldest": None, "diskFreeMb": 1000})
        service.sweep(site.world.platform)
        assert missing(site.world) == []
        clock.advance(minutes=1)
    site.device.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == [(site.firm.anna.id, "2026-11-20")]


def test_the_slowest_of_several_clocks_decides(site: Site, clock: SettableClock) -> None:
    on_duty(site.world, site.firm.anna)
    second = site.another_clock()
    second.beat()
    after_midnight(clock)
    site.device.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == []
    second.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == [(site.firm.anna.id, "2026-11-20")]


def test_a_clock_that_went_to_another_company_is_waited_for_all_the_same(site: Site, clock: SettableClock) -> None:
    """Stamps before the change belong to this company; later ones delay no search here."""
    other_firm = site.world.firm("Andere")
    on_duty(site.world, site.firm.anna)
    site.founder.post(f"/api/devices/{site.device.device_id}/assign-company", json={"companyId": other_firm.id})
    after_midnight(clock)
    service.sweep(site.world.platform)
    assert missing(site.world) == []
    site.device.beat()
    service.sweep(site.world.platform)
    assert missing(site.world) == [(site.firm.anna.id, "2026-11-20")]


def test_a_clock_of_another_company_holds_nobody_up(site: Site, clock: SettableClock) -> None:
    other_firm = site.world.firm("Andere")
    on_duty(site.world, other_firm.anna)
    on_duty(site.world, site.firm.anna)
    after_midnight(clock)
    service.sweep(site.world.platform)
    assert missing(site.world) == [(other_firm.anna.id, "2026-11-20")]


def test_a_stamp_that_comes_after_72_hours_makes_the_day_go(site: Site, clock: SettableClock) -> None:
    on_duty(site.world, site.firm.anna)
    clock.set(MIDNIGHT + timedelta(hours=73))
    service.sweep(site.world.platform)
    assert [row["kind"] for row in company_absences(site.firm, reader=site.boss)] == ["missing"]
    site.device.deliver(site.device.tap(ANNA, MORNING))
    assert company_absences(site.firm, reader=site.boss) == []
    service.sweep(site.world.platform)
    assert company_absences(site.firm, reader=site.boss) == []


@pytest.mark.parametrize(
    ("start", "end", "came", "went", "goes"),
    [
        (22, 6, 0.5, 6, True),  # late to the night
        (0, 8, -24 - 1 / 6, -16, True),  # early to the morning
        (22, 6, 6, 14, False),  # the morning after
        (22, 6, -26, -18, False),  # the night before
    ],
)
def test_stamps_that_come_after_72_hours_are_judged_by_the_duty_that_was_missed(
    site: Site, clock: SettableClock, start: int, end: int, came: float, went: float, *, goes: bool
) -> None:
    """Hours after the day's end."""
    on_duty(site.world, site.firm.anna, start=start * 60, end=end * 60)
    clock.set(MIDNIGHT + hours(6 + 73))
    service.sweep(site.world.platform)
    assert [row["kind"] for row in company_absences(site.firm, reader=site.boss)] == ["missing"]
    stamps = [site.device.tap(ANNA, MIDNIGHT + hours(tap_hour)) for tap_hour in (came, went)]
    site.device.deliver(*stamps)
    assert "2026-11-20" not in {entry[0] for entry in site.spans()}
    assert [row["kind"] for row in company_absences(site.firm, reader=site.boss)] == ([] if goes else ["missing"])
    rounds.remove_gone(site.world.platform)
    assert missing(site.world) == ([] if goes else [(site.firm.anna.id, "2026-11-20")])


# --- once, in order, and separately for each company ---


def test_those_who_are_missing_and_the_administrators_are_told_once(
    world: World, firm: Firm, clock: SettableClock
) -> None:
    on_duty(world, firm.anna)
    after_midnight(clock)
    for _ in range(3):
        service.sweep(world.platform)
        clock.advance(hours=1)
    assert messages_of(firm.anna) == [("absence", {"what": "missing", "date": "2026-11-20"})]
    payload = {"what": "missing", "date": "2026-11-20", "userId": firm.anna.id}
    assert messages_of(firm.boss) == [("request", payload)]
    assert messages_of(firm.ben) == []


def test_days_that_nobody_looked_at_are_looked_at_later(world: World, firm: Firm, clock: SettableClock) -> None:
    for number in range(8):
        on_duty(world, firm.anna, FRIDAY + timedelta(days=number))
    after_midnight(clock)
    service.sweep(world.platform)
    clock.advance(days=6)
    service.sweep(world.platform)
    assert [day for _, day in missing(world)] == [f"2026-11-{day}" for day in range(20, 27)]
    assert swept(world, firm.id) == date(2026, 11, 26)


def test_a_duty_entered_afterwards_accuses_nobody(world: World, firm: Firm, clock: SettableClock) -> None:
    after_midnight(clock)
    service.sweep(world.platform)
    on_duty(world, firm.anna)
    clock.advance(hours=1)
    service.sweep(world.platform)
    assert missing(world) == []


def test_nobody_is_missing_before_there_was_a_company(world: World, clock: SettableClock) -> None:
    late = world.firm("Neu")
    on_duty(world, late.anna, FRIDAY - timedelta(days=1))
    on_duty(world, late.anna)
    after_midnight(clock)
    service.sweep(world.platform)
    assert missing(world, late.id) == [(late.anna.id, "2026-11-20")]


def test_one_company_that_fails_holds_up_no_other(
    world: World, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    firms = [world.firm(f"Firma {number}") for number in range(3)]
    for firm in firms:
        on_duty(world, firm.anna)
    after_midnight(clock)
    real, failed = service.schedule.duties, []

    def duties(session: Session, company_id: str, *how: Any) -> Any:
        if company_id == firms[1].id:
            raise LookupError
        return real(session, company_id, *how)

    with monkeypatch.context() as patch:
        patch.setattr(service.schedule, "duties", duties)
        patch.setattr(service.log, "error", lambda *_, company_id, **__: failed.append(company_id))
        service.sweep(world.platform)
    assert failed == [firms[1].id]
    assert {user_id for user_id, _ in missing(world)} == {firms[0].anna.id, firms[2].anna.id}
    service.sweep(world.platform)
    assert len(missing(world)) == 3


def test_several_processes_at_once_find_everybody_once(world: World, firm: Firm, clock: SettableClock) -> None:
    people = [firm.anna, firm.ben, *(world.user(firm.id, f"person {number}") for number in range(4))]
    for person in people:
        for number in range(3):
            on_duty(world, person, FRIDAY + timedelta(days=number))
    clock.set(MIDNIGHT + timedelta(days=2, minutes=1))
    start = Barrier(4)

    def process(_: int) -> None:
        start.wait(60)
        service.sweep(world.platform)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(process, range(4)))
    missing_rows = missing(world)
    assert len(missing_rows) == len(set(missing_rows)) == 18
    assert len(messages_of(firm.anna)) == 3


def test_a_closed_company_is_left_alone(world: World, firm: Firm, clock: SettableClock) -> None:
    on_duty(world, firm.anna)
    assert world.founder.delete(f"/api/companies/{firm.id}").status_code == 204
    after_midnight(clock)
    service.sweep(world.platform)
    assert (missing(world), swept(world, firm.id)) == ([], None)


def test_it_comes_round_every_hour(platform: Platform, world: World, firm: Firm, clock: SettableClock) -> None:
    (job,) = ROOM.jobs
    assert job.interval == timedelta(hours=1)
    on_duty(world, firm.anna)
    after_midnight(clock)
    jobs.run_once(platform, job)
    assert len(missing(world)) == 1
    missed(firm, firm.anna, FRIDAY)
    assert len(missing(world)) == 1
