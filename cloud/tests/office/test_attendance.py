"""Attendance by the day on which a shift began: people who were planned and came, who are missing, who came without a
plan.
"""

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from stempelwerk_cloud.domain.account import Terms
from stempelwerk_cloud.domain.attendance import Seen, attendance
from stempelwerk_cloud.domain.days import AbsentDay, Leave, PersonDays
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.domain.targets import WeeklyTargets
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import iso
from cloud.tests.office.people import worked
from cloud.tests.planning.illness import reported
from cloud.tests.planning.rosters import add_duty, on_leave
from cloud.tests.room import given as given_rows
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, BEN, EVENING, Site, hours
from cloud.tests.world import Firm

BERLIN = ZoneInfo("Europe/Berlin")
DAY = date(2026, 11, 20)
NINE = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
EARLY, LATE, PLAIN = Planned(DAY, 360, 840), Planned(DAY, 840, 1320), Planned(DAY, None, None)
ALL_DAY = LeaveSpan(DAY, DAY)
VACATION = Leave("vacation", "approved", ALL_DAY)
HALF = Leave("vacation", "approved", LeaveSpan(DAY, DAY, start_half=True))
CAME = Seen(365, None, running=True, clock_name=None)


def _judge(duty: Planned | None, sighting: Seen | None, now: datetime = NINE, **facts: Any) -> str:
    terms = Terms(WeeklyTargets(((None, 2400),)))
    duties = {} if duty is None else {DAY: duty}
    person = PersonDays(terms, lambda _: None, duties=duties, **facts).on(DAY)
    groups = attendance({"p": person}, {} if sighting is None else {"p": sighting}, BERLIN, now)
    if groups.unexpected:
        return "unexpected"
    return {True: "in", False: "missing", None: "not yet"}[groups.expected[0].clocked_in] if groups.expected else ""


@pytest.mark.parametrize(
    ("duty", "seen", "day", "reads"),
    [
        (EARLY, CAME, {}, "in"),
        (EARLY, None, {}, "missing"),
        (LATE, None, {}, "not yet"),
        (LATE, CAME, {}, "in"),
        (PLAIN, None, {}, "missing"),
        (None, CAME, {}, "unexpected"),
        (None, None, {}, ""),
        (EARLY, None, {"leave_spans": [VACATION]}, ""),
        (EARLY, CAME, {"leave_spans": [VACATION]}, "unexpected"),
        (EARLY, None, {"leave_spans": [HALF]}, "missing"),
        (EARLY, None, {"leave_spans": [Leave("vacation", "pending", ALL_DAY)]}, "missing"),
        (EARLY, None, {"absences": {DAY: AbsentDay("sick", "open", noted=False)}}, ""),
        (EARLY, CAME, {"absences": {DAY: AbsentDay("sick", "open", noted=False)}}, "unexpected"),
        (EARLY, None, {"absences": {DAY: AbsentDay("missing", "open", noted=False)}}, "missing"),
        (EARLY, None, {"absences": {DAY: AbsentDay("missing", "excused", noted=False)}}, ""),
    ],
)
def test_a_table_of_what_a_day_reads(duty: Planned | None, seen: Seen | None, day: dict[str, Any], reads: str) -> None:
    assert _judge(duty, seen, **day) == reads


def test_nobody_is_missing_before_their_duty_begins_also_where_clocks_change() -> None:
    change = date(2026, 10, 25)  # at three it is two again
    person = PersonDays(Terms(WeeklyTargets(())), lambda _: None, duties={change: Planned(change, 150, 600)}).on(change)
    for minute, reads in ((30, False), (29, None)):
        instant = datetime(2026, 10, 25, 0, minute, tzinfo=UTC)
        (attendee,) = attendance({"p": person}, {}, BERLIN, instant).expected
        assert attendee.clocked_in is reads
    assert _judge(PLAIN, None, datetime(2026, 11, 19, 22, 59, tzinfo=UTC)) == "not yet"
    assert _judge(PLAIN, None, datetime(2026, 11, 19, 23, 0, tzinfo=UTC)) == "missing"


def _attendance_of(firm: Firm, day: str = "") -> dict[str, Any]:
    answer = firm.boss.get(f"/api/companies/{firm.id}/attendance{day and f'?date={day}'}")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def test_a_foreign_company_is_unknown_and_a_day_must_be_one(firm: Firm) -> None:
    path = f"/api/companies/{firm.id}/attendance"
    assert firm.world.firm("Andere GmbH").boss.get(path).status_code == 404
    assert firm.anna.get(path).status_code == 403
    assert firm.boss.get(f"{path}?date=20.11.2026").status_code == 422


def test_rows_say_since_when_and_until_when(firm: Firm, platform: Platform) -> None:
    add_duty(firm.anna, "2026-11-19", 420, 900)
    add_duty(firm.ben, "2026-11-19", 600, 900)
    worked(firm.anna, "2026-11-19", "07:05", "15:00")
    worked(firm.boss, "2026-11-19", "09:00", "10:00")
    assert _attendance_of(firm, "2026-11-19") == {
        "expected": [
            {"userId": firm.anna.id, "username": "anna", "clockedIn": True, "start": "07:05", "end": "15:00"},
            {"userId": firm.ben.id, "username": "ben", "clockedIn": False, "start": "10:00", "end": "15:00"},
        ],
        "unexpected": [{"userId": firm.boss.id, "username": "chefin", "start": "09:00", "end": "10:00"}],
    }
    on_leave(firm.ben, "2026-11-19", "2026-11-19")
    assert [row["username"] for row in _attendance_of(firm, "2026-11-19")["expected"]] == ["anna"]


def test_who_was_deleted_stays_in_the_days_before(firm: Firm) -> None:
    add_duty(firm.anna, "2026-11-19", 420, 900)
    worked(firm.anna, "2026-11-19", "07:05", "15:00")
    worked(firm.ben, "2026-11-20", "07:00", "08:00")
    initial = _attendance_of(firm, "2026-11-19")
    for person in (firm.anna, firm.ben):
        assert firm.boss.delete(f"/api/users/{person.id}").status_code == 204
    assert _attendance_of(firm, "2026-11-19") == initial
    assert [row["username"] for row in initial["expected"]] == ["anna"]
    assert _attendance_of(firm) == {"expected": [], "unexpected": []}


def test_a_night_counts_for_the_day_on_which_it_began(site: Site, clock: SettableClock) -> None:
    firm = site.firm
    add_duty(firm.anna, "2026-11-20", 1320, 360)
    evening = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
    clock.set(evening + hours(9))
    taps = [site.device.tap(ANNA, evening + hours(step)) for step in (0, 3, 4, 8)]
    site.device.deliver(*taps)
    firm.boss = site.boss
    (anna,) = _attendance_of(firm, "2026-11-20")["expected"]
    assert (anna["clockedIn"], anna["start"], anna["end"]) == (True, "22:00", "06:00")
    assert _attendance_of(firm, "2026-11-21") == {"expected": [], "unexpected": []}


# -- Heute


def _today(firm: Firm) -> dict[str, Any]:
    answer = firm.boss.get(f"/api/companies/{firm.id}/today")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def test_today_leaves_out_what_is_switched_off(firm: Firm) -> None:
    path = f"/api/companies/{firm.id}/features"
    existing = {feature["key"]: feature["id"] for feature in firm.boss.get(path).json()}
    kept_ids = [existing["schedule"]]
    assert firm.world.founder.put(path, json={"featureIds": kept_ids}).status_code == 200
    assert _today(firm) == {"waiting": {"heldStamps": 0, "review": 0}}


@ON_BOTH
def test_today_counts_what_waits_and_who_is_there(site: Site, clock: SettableClock) -> None:
    firm = site.firm
    firm.boss, firm.anna, firm.ben = (site.somebody(person) for person in (firm.boss, firm.anna, firm.ben))
    add_duty(firm.anna, "2026-11-20", 420, 900)
    add_duty(firm.ben, "2026-11-20", 420, 900)
    site.device.deliver(site.device.tap(ANNA, datetime(2026, 11, 20, 6, 2, tzinfo=UTC)), site.device.tap("04FFFFFF"))
    reported(firm.ben, "2026-11-23", "2026-11-24")
    on_leave(firm.anna, "2026-12-07", "2026-12-08", status="pending")
    worked(firm.anna, "2026-11-18", "06:00", "18:00")
    correction = {"date": "2026-11-17", "newStart": "08:00", "newEnd": "12:00"}
    assert firm.anna.post("/api/time-corrections", json=correction).status_code == 201
    overview = _today(firm)
    assert overview == {
        "present": [
            {
                "userId": firm.anna.id,
                "username": "anna",
                "start": "07:02",
                "end": None,
                "clockName": "SW-T-1",
                "plannedEnd": "15:00",
            }
        ],
        "missing": [
            {
                "userId": firm.ben.id,
                "username": "ben",
                "start": "07:00",
                "end": "15:00",
                "clockName": None,
                "plannedEnd": "15:00",
            }
        ],
        "unexpected": [],
        "waiting": {"requests": 1, "absences": 2, "corrections": 1, "heldStamps": 1, "review": 1},
        "silentClocks": [],
        "alarms": [],
    }
    clock.advance(minutes=10)
    (silent,) = _today(firm)["silentClocks"]
    assert silent == {"deviceId": site.device.device_id, "name": "SW-T-1", "lastSeen": iso(EVENING)}


@ON_BOTH
def test_a_day_shows_the_alarms_of_clocks_that_its_administrator_can_do_something_about(site: Site) -> None:
    stranger = site.world.firm("Nachbar & Söhne").boss
    for kind in ("storage", "silent", "network", "conflict", "cert", "version"):
        given_rows(site.boss, Alarm, device_no=1, kind=kind, raised=True)
    given_rows(site.boss, Alarm, device_no=1, kind="disk", raised=True, until=EVENING)
    given_rows(site.boss, Alarm, device_no=1, kind="reader", raised=False)
    given_rows(stranger, Alarm, device_no=1, kind="gap", raised=True)
    acknowledged = given_rows(site.boss, Alarm, device_no=1, kind="clocktime", raised=True)
    assert site.boss.post(f"/api/alarms/{acknowledged}/acknowledge").status_code == 200
    alarms = _today(site.firm)["alarms"]
    assert [(row["kind"], row["deviceName"]) for row in alarms] == [("storage", "SW-T-1")]


def test_who_works_through_the_night_is_still_there_after_midnight(site: Site, clock: SettableClock) -> None:
    firm = site.firm
    add_duty(firm.anna, "2026-11-20", 1320, 360)
    evening = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
    clock.set(evening + hours(4))
    site.device.deliver(site.device.tap(ANNA, evening), site.device.tap(BEN, evening))
    firm.boss = site.boss
    overview = _today(firm)
    assert [row["username"] for row in overview["present"]] == ["anna"]
    assert [row["username"] for row in overview["unexpected"]] == ["ben"]
