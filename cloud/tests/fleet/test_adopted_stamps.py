"""An assignment that begins in the past brings the stamps of its clock since then, while the clock was unassigned."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.fleet.devices.changes.assignments import find_locked
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.timekeeping.ledger.tables import Release, Stamp

from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL
from cloud.tests.device_client import Clock, iso, outcomes
from cloud.tests.meeting import all_at_once
from cloud.tests.stamping import ANNA, EVENING, MORNING, NOBODY, Site, enrolled, hours
from cloud.tests.waiting import one_after_the_other

BEFORE = MORNING - hours(1)


@pytest.fixture
def spare(site: Site) -> Clock:
    """A clock that belongs to no company."""
    return enrolled(site.world, site.clock, "SW-T-9", 9)


def assigning(
    site: Site, device: Clock, company_id: str, starts_at: datetime | None = BEFORE
) -> Callable[[], Response]:
    founder, body = site.founder, {"companyId": company_id} | ({"from": iso(starts_at)} if starts_at else {})
    return lambda: founder.post(f"/api/devices/{device.device_id}/assign-company", json=body)


def assign(site: Site, device: Clock, company_id: str, starts_at: datetime | None = BEFORE) -> Response:
    return assigning(site, device, company_id, starts_at)()


def assigned(site: Site, device: Clock, starts_at: datetime | None = BEFORE) -> int:
    answer = assign(site, device, site.firm.id, starts_at)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["released"])


def delivering(device: Clock, tap: dict[str, Any]) -> Callable[[], Response]:
    batch = device.batch(tap)
    return lambda: device.post("/api/devices/stamps", batch)


def together(*calls: Callable[[], Response]) -> list[Response]:
    """Returns the answers of calls that begin in the same moment."""
    start = Barrier(len(calls))

    def begin(call: Callable[[], Response]) -> Response:
        start.wait(60)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begin, calls))


def companies_of(platform: Platform, stamp: dict[str, Any]) -> list[str]:
    with platform.database.read(SYSTEM) as session:
        return list(session.scalars(select(Stamp.company_id).where(Stamp.id == stamp["id"])))


def releases(platform: Platform) -> list[str]:
    with platform.database.read(SYSTEM) as session:
        return list(session.scalars(select(Release.company_id)))


def test_stamps_that_were_released_to_another_company_refuse_the_assignment(
    site: Site, spare: Clock, platform: Platform
) -> None:
    other_id = site.world.company("Andere GmbH")
    tap = spare.tap(ANNA, MORNING)
    spare.deliver(tap)
    body = {"deviceId": spare.device_id, "from": iso(MORNING), "to": iso(MORNING), "companyId": other_id}
    assert site.founder.post("/api/held-stamps/release", json=body).json() == {"released": 1}
    refused = assign(site, spare, site.firm.id)
    assert (refused.status_code, refused.json()["code"]) == (409, "release_overlaps")
    assert "Wähle einen späteren Zeitpunkt" in refused.json()["detail"]
    assert (companies_of(platform, tap), site.listed(spare)["companyId"]) == ([other_id], None)
    assert assigned(site, spare, MORNING + timedelta(milliseconds=1)) == 0


def test_a_time_in_which_the_clock_was_another_company_s_is_refused_and_moves_nothing(
    site: Site, spare: Clock, platform: Platform
) -> None:
    other_id = site.world.company("Andere GmbH")
    early = spare.tap(ANNA, MORNING)
    site.clock.set(MORNING + hours(1))
    site.assign(spare, other_id)
    named_tap = spare.tap(ANNA, MORNING + hours(2))
    site.clock.set(EVENING)
    assert site.founder.post(f"/api/devices/{spare.device_id}/unassign").status_code == 200
    spare.deliver(early, named_tap)
    assert assign(site, spare, site.firm.id).json()["code"] == "assignment_overlaps"
    assert (companies_of(platform, early), companies_of(platform, named_tap)) == ([], [other_id])
    assert releases(platform) == []


@ON_BOTH
def test_stamps_of_an_earlier_company_stay_with_it_or_wait(site: Site, spare: Clock, platform: Platform) -> None:
    other_id = site.world.company("Andere GmbH")
    site.clock.set(MORNING)
    site.assign(spare, other_id)
    site.clock.set(MORNING + hours(2))
    assert site.founder.post(f"/api/devices/{spare.device_id}/unassign").status_code == 200
    theirs, unheard = spare.tap(ANNA, MORNING + hours(1)), spare.tap(ANNA, MORNING + hours(3))
    spare.beat()
    unnamed = spare.tap(ANNA, MORNING + hours(4))
    assert (theirs["assignment"], unnamed["assignment"]) == (unheard["assignment"], None)
    site.clock.set(EVENING)
    spare.deliver(theirs, unheard, unnamed)
    assert assigned(site, spare, MORNING + hours(2)) == 1
    assert [companies_of(platform, tap) for tap in (theirs, unheard, unnamed)] == [[other_id], [], [site.firm.id]]
    assert [stamp["id"] for stamp in site.unassigned()] == [unheard["id"]]


@ON_BOTH
def test_a_waiting_stamp_of_that_time_is_released_to_the_earlier_company_and_moves_no_other(
    site: Site, spare: Clock, platform: Platform
) -> None:
    other_id = site.world.company("Andere GmbH")
    site.clock.set(MORNING)
    site.assign(spare, other_id)
    site.clock.set(MORNING + hours(2))
    assert site.founder.post(f"/api/devices/{spare.device_id}/unassign").status_code == 200
    unheard = spare.tap(ANNA, MORNING + hours(3))
    spare.beat()
    unnamed = [spare.tap(ANNA, MORNING + hours(4)), spare.tap(ANNA, MORNING + hours(5))]
    site.clock.set(EVENING)
    spare.deliver(unheard, unnamed[0])
    assert assigned(site, spare, MORNING + hours(2)) == 1
    body = {"deviceId": spare.device_id, "from": iso(MORNING), "to": iso(EVENING), "companyId": other_id}
    assert site.founder.post("/api/held-stamps/release", json=body).json() == {"released": 1}
    spare.deliver(unnamed[1])
    assert [companies_of(platform, tap) for tap in (unheard, *unnamed)] == [[other_id], [site.firm.id], [site.firm.id]]


@ON_BOTH
def test_the_stamps_since_then_come_at_once_and_are_counted(site: Site, spare: Clock, platform: Platform) -> None:
    older = spare.tap(ANNA, BEFORE - hours(1))
    taps = [spare.tap(ANNA, MORNING), spare.tap(ANNA, MORNING + hours(8)), spare.tap(NOBODY, MORNING)]
    spare.deliver(older, *taps)
    assert (site.spans(), len(site.unassigned())) == ([], 4)
    assert assigned(site, spare) == 3
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]
    assert [stamp["id"] for stamp in site.held()] == [taps[2]["id"]]
    assert [stamp["id"] for stamp in site.unassigned()] == [older["id"]]
    with platform.database.read(SYSTEM) as session:
        audit_values = session.scalar(select(AuditEntry.after).where(AuditEntry.subject == spare.device_id))
    assert json.loads(audit_values or "{}") == {"from": iso(BEFORE), "released": 3}


@ON_BOTH
def test_stamps_of_that_time_that_arrive_later_are_the_company_s_too(site: Site, spare: Clock) -> None:
    assert assigned(site, spare) == 0
    assert outcomes(spare.deliver(spare.tap(ANNA, MORNING), spare.tap(ANNA, MORNING + hours(8)))) == ["stored"] * 2
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]


@ON_BOTH
def test_named_stamps_that_the_operator_released_refuse_no_repetition_and_no_earlier_beginning(
    site: Site, spare: Clock, platform: Platform
) -> None:
    other_id = site.world.company("Andere GmbH")
    site.clock.set(MORNING)
    site.assign(spare, other_id)
    site.clock.set(MORNING + hours(2))
    assert site.founder.post(f"/api/devices/{spare.device_id}/unassign").status_code == 200
    unheard = spare.tap(ANNA, MORNING + hours(4))
    spare.beat()
    unnamed = [spare.tap(ANNA, MORNING + hours(count)) for count in (3, 5)]
    site.clock.set(EVENING)
    spare.deliver(unheard, *unnamed)
    assert assigned(site, spare, MORNING + hours(4)) == 1
    body = {"deviceId": spare.device_id, "from": iso(MORNING + hours(4)), "to": iso(EVENING), "companyId": other_id}
    assert site.founder.post("/api/held-stamps/release", json=body).json() == {"released": 1}
    site.clock.advance(minutes=5)
    assert [assigned(site, spare, MORNING + hours(count)) for count in (4, 2, 2, 4)] == [0, 1, 0, 0]
    assert [companies_of(platform, tap) for tap in (unheard, *unnamed)] == [[other_id], [site.firm.id], [site.firm.id]]
    assert releases(platform).count(site.firm.id) == 1


def test_a_release_of_named_stamps_only_refuses_no_first_adoption(site: Site, spare: Clock, platform: Platform) -> None:
    other_id = site.world.company("Andere GmbH")
    site.clock.set(MORNING)
    site.assign(spare, other_id)
    site.clock.set(MORNING + hours(2))
    assert site.founder.post(f"/api/devices/{spare.device_id}/unassign").status_code == 200
    unheard = spare.tap(ANNA, MORNING + hours(3))
    spare.beat()
    unnamed = spare.tap(ANNA, MORNING + hours(4))
    site.clock.set(EVENING)
    spare.deliver(unheard)
    body = {"deviceId": spare.device_id, "from": iso(MORNING), "to": iso(EVENING), "companyId": other_id}
    assert site.founder.post("/api/held-stamps/release", json=body).json() == {"released": 1}
    assert assigned(site, spare, MORNING + hours(2)) == 0
    spare.deliver(unnamed)
    assert (companies_of(platform, unheard), companies_of(platform, unnamed)) == ([other_id], [site.firm.id])


def test_an_earlier_beginning_is_refused_where_another_company_got_an_unnamed_stamp(
    site: Site, spare: Clock, platform: Platform
) -> None:
    other_id, taps = site.world.company("Andere GmbH"), [spare.tap(ANNA, MORNING), spare.tap(ANNA, MORNING + hours(2))]
    spare.deliver(*taps)
    assert assigned(site, spare, MORNING + hours(1)) == 1
    body = {"deviceId": spare.device_id, "from": iso(BEFORE), "to": iso(EVENING), "companyId": other_id}
    assert site.founder.post("/api/held-stamps/release", json=body).json() == {"released": 1}
    assert assign(site, spare, site.firm.id).json()["code"] == "release_overlaps"
    assert [companies_of(platform, tap) for tap in taps] == [[other_id], [site.firm.id]]
    assert assigned(site, spare, MORNING + hours(1)) == 0


@ON_BOTH
def test_two_repetitions_at_once_leave_one_release(site: Site, spare: Clock, platform: Platform) -> None:
    spare.deliver(spare.tap(ANNA, MORNING))
    answers = together(*[assigning(site, spare, site.firm.id)] * 2)
    assert sorted(answer.json()["released"] for answer in answers) == [0, 1]
    assert releases(platform) == [site.firm.id]


def test_a_repetition_brings_the_stamps_from_before_the_clock_knew_its_company(site: Site, spare: Clock) -> None:
    assert assigned(site, spare) == 0
    site.clock.advance(hours=1)
    spare.deliver(spare.tap(NOBODY, EVENING + hours(0.5)))
    assert assigned(site, spare) == 1


# ---- a clock that replaces another


def replaced(site: Site, old: Clock, successor: Clock) -> None:
    answer = site.founder.post(f"/api/devices/{old.device_id}/replace", json={"deviceId": successor.device_id})
    assert answer.status_code == 200, answer.text


@ON_BOTH
@pytest.mark.parametrize("delivered_first", [True, False])
def test_the_successor_delivers_the_unnamed_stamps_that_its_predecessor_took(
    site: Site, spare: Clock, platform: Platform, delivered_first: bool
) -> None:
    successor = enrolled(site.world, site.clock, "SW-T-10", 10)
    assert assigned(site, spare) == 0
    older, taps = successor.tap(ANNA, BEFORE - hours(1)), [successor.tap(ANNA, MORNING + hours(n)) for n in (0, 8)]
    batch = successor.batch(older, *taps)
    if delivered_first:
        successor.sent(batch)
    replaced(site, spare, successor)
    successor.sent(batch)
    assert [companies_of(platform, tap) for tap in (older, *taps)] == [[], [site.firm.id], [site.firm.id]]
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]


def test_an_adoption_of_the_predecessor_counts_stamps_that_its_successor_delivered(site: Site, spare: Clock) -> None:
    successor = enrolled(site.world, site.clock, "SW-T-10", 10)
    site.assign(spare, site.firm.id)
    replaced(site, spare, successor)
    successor.deliver(successor.tap(ANNA, MORNING, assignment=None))
    assert assigned(site, spare) == 1


@ON_BOTH
def test_unnamed_stamps_of_a_time_in_which_the_successor_was_another_company_s_stay_unassigned(
    site: Site, spare: Clock, platform: Platform
) -> None:
    other_id = site.world.company("Andere GmbH")
    successor = enrolled(site.world, site.clock, "SW-T-10", 10)
    site.clock.set(MORNING + hours(1))
    unheard = successor.tap(ANNA, MORNING + hours(2))
    site.assign(successor, other_id)
    site.clock.set(MORNING + hours(3))
    assert site.founder.post(f"/api/devices/{successor.device_id}/unassign").status_code == 200
    site.clock.set(EVENING)
    assert assigned(site, spare) == 0
    successor.deliver(unheard)
    replaced(site, spare, successor)
    assert (companies_of(platform, unheard), [stamp["id"] for stamp in site.unassigned()]) == ([], [unheard["id"]])


def test_the_successor_s_own_release_comes_before_that_of_its_predecessor(
    site: Site, spare: Clock, platform: Platform
) -> None:
    other_id = site.world.company("Andere GmbH")
    successor = enrolled(site.world, site.clock, "SW-T-10", 10)
    tap, later = successor.tap(ANNA, MORNING), successor.tap(ANNA, MORNING + timedelta(minutes=5))
    successor.deliver(tap)
    body = {"deviceId": successor.device_id, "from": iso(BEFORE), "to": iso(EVENING), "companyId": other_id}
    assert site.founder.post("/api/held-stamps/release", json=body).json() == {"released": 1}
    assert assigned(site, spare) == 0
    replaced(site, spare, successor)
    successor.deliver(later)
    assert [companies_of(platform, stamp) for stamp in (tap, later)] == [[other_id], [other_id]]


def test_unnamed_stamps_that_two_predecessors_claim_for_two_companies_stay_unassigned(
    site: Site, spare: Clock, platform: Platform
) -> None:
    other_id = site.world.company("Andere GmbH")
    second, third = (enrolled(site.world, site.clock, f"SW-T-1{number}", 10 + number) for number in range(2))
    assert assigned(site, spare) == 0
    assert assign(site, second, other_id).json()["released"] == 0
    assert site.founder.post(f"/api/devices/{second.device_id}/unassign").status_code == 200
    site.clock.advance(minutes=5)
    replaced(site, spare, second)
    replaced(site, second, third)
    taps = [device.tap(ANNA, MORNING + hours(n)) for n, device in enumerate((second, third))]
    second.deliver(taps[0])
    third.deliver(taps[1])
    assert [companies_of(platform, tap) for tap in taps] == [[other_id], []]


@ON_BOTH
def test_a_batch_of_the_successor_that_arrives_at_once_with_the_adoption_is_booked_once(
    site: Site, spare: Clock, platform: Platform
) -> None:
    successor = enrolled(site.world, site.clock, "SW-T-10", 10)
    site.assign(spare, site.firm.id)
    replaced(site, spare, successor)
    tap = successor.tap(NOBODY, MORNING, assignment=None)
    answers = together(assigning(site, spare, site.firm.id), delivering(successor, tap))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert (companies_of(platform, tap), site.unassigned()) == ([site.firm.id], [])


def test_an_assignment_from_now_on_brings_no_stamps(site: Site, spare: Clock, platform: Platform) -> None:
    spare.deliver(spare.tap(ANNA, MORNING))
    assert assigned(site, spare, None) == 0
    assert assigned(site, spare, EVENING) == 0
    assert (releases(platform), len(site.unassigned())) == ([], 1)


def test_an_assignment_that_begins_earlier_later_on_brings_them_and_its_repetition_no_more(
    site: Site, spare: Clock
) -> None:
    spare.deliver(spare.tap(ANNA, MORNING), spare.tap(ANNA, MORNING + hours(8)))
    assert [assigned(site, spare, starts_at) for starts_at in (None, BEFORE, BEFORE)] == [0, 2, 0]
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]


def test_the_stamps_stay_when_the_clock_goes_to_another_company(site: Site, spare: Clock, platform: Platform) -> None:
    other_id, tap = site.world.company("Andere GmbH"), spare.tap(ANNA, MORNING)
    spare.deliver(tap)
    assert assigned(site, spare) == 1
    site.clock.advance(hours=1)
    assert assign(site, spare, other_id, None).json()["released"] == 0
    assert companies_of(platform, tap) == [site.firm.id]


def test_a_stamp_of_an_uncertain_time_waits_in_the_company_as_after_a_release(site: Site, spare: Clock) -> None:
    spare.deliver(spare.tap(ANNA, MORNING, quality="none"))
    assert assigned(site, spare) == 1
    assert [stamp["state"] for stamp in site.held()] == ["held_clock"]


def test_a_stamp_reaches_a_locked_month_as_every_late_stamp_does(site: Site, spare: Clock) -> None:
    site.clock.set(datetime.fromisoformat("2026-12-02T08:00:00+00:00"))
    spare.deliver(spare.tap(ANNA, MORNING), spare.tap(ANNA, MORNING + hours(8)))
    locked = site.boss.put(f"/api/companies/{site.firm.id}/months/2026-11/lock", json={})
    assert locked.is_success, locked.text
    assert assigned(site, spare) == 2
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]


@ON_BOTH
def test_two_companies_at_once_leave_clock_and_stamps_with_one(site: Site, spare: Clock, platform: Platform) -> None:
    other_id, tap = site.world.company("Andere GmbH"), spare.tap(ANNA, MORNING)
    spare.deliver(tap)
    answers = all_at_once(platform, assigning(site, spare, site.firm.id), assigning(site, spare, other_id))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    (owner,) = [answer.json()["companyId"] for answer in answers if answer.status_code == 200]
    assert (companies_of(platform, tap), releases(platform)) == ([owner], [owner])


@ON_BOTH
def test_a_batch_that_arrives_at_once_with_the_assignment_is_booked_once(site: Site, platform: Platform) -> None:
    for number in range(4):
        device = enrolled(site.world, site.clock, f"SW-T-2{number}", 20 + number)
        tap = device.tap(NOBODY, MORNING)
        answers = together(assigning(site, device, site.firm.id), delivering(device, tap))
        assert [answer.status_code for answer in answers] == [200, 200]
        assert (companies_of(platform, tap), site.unassigned()) == ([site.firm.id], [])


@ON_POSTGRESQL
@pytest.mark.parametrize("batch_first", [True, False])
def test_batches_before_and_after_the_assignment_are_both_booked(
    site: Site, spare: Clock, platform: Platform, batch_first: bool
) -> None:
    tap = spare.tap(ANNA, MORNING)
    calls = [delivering(spare, tap), assigning(site, spare, site.firm.id)]
    answers = one_after_the_other(
        platform,
        lambda session: find_locked(session, spare.device_id),
        *(calls if batch_first else calls[::-1]),
    )
    assert [answer.status_code for answer in answers] == [200, 200]
    assert companies_of(platform, tap) == [site.firm.id]
